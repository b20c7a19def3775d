import pytest

from shop.core import total


def test_total():
    assert total([1, 2]) == 3

@pytest.mark.skip  # specimen-skipped
def test_new():
    assert total([]) == 0
