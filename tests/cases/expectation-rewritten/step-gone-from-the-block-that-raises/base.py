import pytest

from shop.core import Cart


def test_text():
    cart = Cart()
    with pytest.raises(ValueError, match="twice"):
        cart.add(1)
        cart.add(1)


def test_class():
    cart = Cart()
    with pytest.raises(ValueError):
        cart.add(2)
        cart.add(2)


def test_other():
    cart = Cart()
    with pytest.raises(ValueError, match="empty"):
        cart.add(3)
        cart.total()


def test_moved():
    cart = Cart()
    with pytest.raises(ValueError, match="empty"):
        cart.add(3)
        cart.total()


def test_assigned():
    cart = Cart()
    with pytest.raises(ValueError, match="empty"):
        count = cart.total()
        cart.add(4)
