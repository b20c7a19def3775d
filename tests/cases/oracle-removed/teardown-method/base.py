import unittest

from shop.core import Cart


class CartTest(unittest.TestCase):
    def setUp(self):
        self.cart = Cart()

    def tearDown(self):
        self.assertFalse(self.cart.is_empty())  # oracle-removed

    def test_add(self):
        self.cart.add(1)
        self.assertEqual(self.cart.items, [1])
