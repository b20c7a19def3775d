import operator
import unittest

import pytest

from shop.core import Cart, double, parse


class TestCart(unittest.TestCase):
    def test_function(self):
        cart = Cart()

        def bad():
            cart.add(1)

        self.assertRaises(ValueError, bad)
        pytest.raises(TypeError, bad)

    def test_assignment(self):
        cart = Cart()

        def bad():
            cart.headers = [1]

        self.assertRaises(ValueError, bad)

    def test_steps(self):
        cart = Cart()

        def bad():
            count = double(2)
            cart.add(count)
            return parse(cart.items[0])

        self.assertRaisesRegex(ValueError, "bad", bad)

    def test_loop(self):
        cart = Cart()

        def go_through():
            for one in cart:
                pass

        self.assertRaises(TypeError, go_through)

    def test_operators(self):
        cart = Cart()
        self.assertRaises(TypeError, cart.__setitem__, "a", 1)
        self.assertRaises(KeyError, cart.__getitem__, "a")
        self.assertRaises(KeyError, cart.__delitem__, "a")
        self.assertRaises(AttributeError, setattr, cart, "name", 1)
        self.assertRaises(AttributeError, getattr, cart, "name")
        self.assertRaises(AttributeError, delattr, cart, "name")
        self.assertRaises(TypeError, operator.add, cart, 1)
        self.assertRaises(TypeError, operator.getitem, cart, 1)
