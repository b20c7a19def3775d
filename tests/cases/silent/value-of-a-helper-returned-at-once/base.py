import pytest

from shop.core import Cart, double, parse


def run(args):
    cart = Cart()
    result = cart.add(parse(args))
    return result


def quiet(number):
    with pytest.deprecated_call():
        result = double(number)
    return result


def loud(number):
    with pytest.warns(UserWarning, match="old"):
        return double(number)


def test_bad():
    with pytest.raises(ValueError, match="bad"):
        run("a b")
    with pytest.raises(ValueError):
        run("c")
    assert run("4") is None


def test_old():
    assert quiet(1) == 2
    assert loud(2) == 4
