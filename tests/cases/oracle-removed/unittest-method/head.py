import unittest

from shop.core import Cart


class CartTest(unittest.TestCase):
    def test_add(self):
        cart = Cart()
        cart.add(2)
        self.assertEqual(cart.items, [2])
