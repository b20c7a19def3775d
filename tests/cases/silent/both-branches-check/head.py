import sys

from shop.core import total


def test_total():
    if sys.platform == "win32":
        assert total([1, 2]) == 3
    else:
        assert total([1, 2]) == 3
