import pytest

from shop.core import Cart


def test_text():
    cart = Cart()
    with pytest.raises(ValueError, match="twice"):  # expectation-rewritten
        cart.add(1)


def test_class():
    cart = Cart()
    with pytest.raises(ValueError):  # expectation-rewritten
        cart.add(2)


def test_other():
    cart = Cart()
    with pytest.raises(ValueError, match="empty"):  # expectation-rewritten
        cart.total()


def test_moved():
    cart = Cart()
    cart.add(3)
    with pytest.raises(ValueError, match="empty"):
        cart.total()


def test_assigned():
    cart = Cart()
    with pytest.raises(ValueError, match="empty"):  # expectation-rewritten
        cart.add(4)
