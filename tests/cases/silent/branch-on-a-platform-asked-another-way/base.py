import platform

from shop import core
from shop.core import names, price

IS_WINDOWS = core._SYSTEM == "Windows"


def test_price():
    if IS_WINDOWS:
        assert price(1, 2) == 2
    else:
        assert price(2, 2) == 4
    if platform.system() != "Darwin":
        assert names() == ["ada", "bob"]
