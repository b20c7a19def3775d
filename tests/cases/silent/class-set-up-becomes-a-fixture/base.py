import unittest

from shop.core import Cart, double


class Common:
    def test_zero(self):
        self.assertEqual(type(self).function(0), 0)


class TestDouble(Common, unittest.TestCase):
    function = staticmethod(double)


class TestCart(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cart = Cart()
        cls.cart.add(3)

    def test_total(self):
        self.assertEqual(self.cart.total(), 3)
