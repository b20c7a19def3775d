import unittest

from shop.core import Cart


class CartTest(unittest.TestCase):
    def setUp(self):
        self.cart = Cart()

    def test_add(self):
        self.cart.add(1)
        self.assertEqual(self.cart.items, [1])
