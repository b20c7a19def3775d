import pytest

from shop.core import Cart, double, parse


def run(args):
    cart = Cart()
    return cart.add(parse(args))


def quiet(number):
    with pytest.deprecated_call():
        return double(number)


def loud(number):
    with pytest.warns(UserWarning, match="old"):
        result = double(number)
    return result


def test_bad():
    with pytest.raises(ValueError, match="bad"):
        run("a b")
    with pytest.raises(ValueError):
        run("c")
    assert run("4") is None


def test_old():
    assert quiet(1) == 2
    assert loud(2) == 4
