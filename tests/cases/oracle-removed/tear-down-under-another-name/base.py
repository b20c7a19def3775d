import unittest

from shop.core import Cart


class TestCart(unittest.TestCase):
    def setUp(self):
        self.cart = Cart()

    def tearDown(self):
        self.assertEqual(self.cart.total(), 3)  # oracle-removed

    def test_add(self):
        self.cart.add(3)
