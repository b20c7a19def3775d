import unittest

from shop.core import Cart


class TestCart(unittest.TestCase):
    def setUp(self):
        self.cart = Cart()
        self.addCleanup(lambda: self.check_total)

    def check_total(self):
        self.assertEqual(self.cart.total(), 3)

    def test_add(self):
        self.cart.add(3)
