import pytest

from shop.core import find, parse, price


def test_errors():
    with pytest.raises(OSError):
        parse("x")
    with pytest.raises((OSError, KeyError)):
        find("x")
    with pytest.raises(TimeoutError):
        parse("y")
    with pytest.raises(TimeoutError):
        price("y")
