import pytest

from shop.core import total


def test_total():
    raise pytest.skip.Exception("later")
    assert total([1, 2]) == 3
