import pytest

from shop.core import total


@pytest.mark.filterwarnings("error")
def test_total():
    assert total([1, 2]) == 3
