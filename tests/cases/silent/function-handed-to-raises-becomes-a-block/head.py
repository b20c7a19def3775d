import pytest

from shop.core import Cart, double, parse


def test_function():
    cart = Cart()

    def bad():
        cart.add(1)

    with pytest.raises(ValueError):
        bad()
    with pytest.raises(TypeError):
        cart.add(1)


def test_assignment():
    cart = Cart()
    with pytest.raises(ValueError):
        cart.headers = [1]


def test_steps():
    cart = Cart()
    with pytest.raises(ValueError, match="bad"):
        count = double(2)
        cart.add(count)
        parse(cart.items[0])


def test_loop():
    cart = Cart()
    with pytest.raises(TypeError):
        for _ in cart:
            pass


def test_operators():
    cart = Cart()
    with pytest.raises(TypeError):
        cart["a"] = 1
    with pytest.raises(KeyError):
        cart["a"]
    with pytest.raises(KeyError):
        del cart["a"]
    with pytest.raises(AttributeError):
        cart.name = 1
    with pytest.raises(AttributeError):
        cart.name
    with pytest.raises(AttributeError):
        del cart.name
    with pytest.raises(TypeError):
        cart + 1
    with pytest.raises(TypeError):
        cart[1]
