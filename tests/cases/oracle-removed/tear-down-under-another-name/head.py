import unittest

from shop.core import Cart


class TestCart(unittest.TestCase):
    def setUp(self):
        self.cart = Cart()

    def teardown(self):
        self.assertEqual(self.cart.total(), 3)

    def test_add(self):
        self.cart.add(3)
