import unittest

from shop.core import Cart


class TestShop(unittest.TestCase):
    def setUp(self):
        self.cart = Cart()

    def tearDown(self):
        self.cart = None

    def test_many(self):
        self.assertTrue(self.cart.is_empty())
        self.cart.add(3)
        self.assertEqual(self.cart.total(), 3)


class TestOther:
    def setup_method(self):
        self.cart = Cart()

    def teardown_method(self):
        self.cart = None

    def test_one(self):
        assert self.cart.total() == 0
