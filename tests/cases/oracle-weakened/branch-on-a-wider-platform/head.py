import sys

from shop.core import names


def test_names():
    if sys.platform == "win32":
        assert names() == ["ada", "bob"]  # oracle-weakened
