import unittest

from shop.core import Cart


class TestCart(unittest.TestCase):
    def setUp(self):
        self.cart = Cart()
        self.addCleanup(self.check_total)

    def check_total(self):
        self.assertEqual(self.cart.total(), 3)  # oracle-removed

    def test_add(self):
        self.cart.add(3)
