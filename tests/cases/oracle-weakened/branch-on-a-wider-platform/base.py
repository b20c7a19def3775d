import platform

from shop.core import names


def test_names():
    if platform.system() != "Darwin":
        assert names() == ["ada", "bob"]
