import pytest

from shop.core import total


@pytest.mark.xfail
def test_total():
    assert total([1, 2]) == 3
