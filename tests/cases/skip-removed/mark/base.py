import pytest

from shop.core import total


@pytest.mark.skip(reason="later")  # skip-removed
def test_total():
    assert total([1, 2]) == 3
