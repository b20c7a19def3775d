import unittest

from shop.core import price


class PriceTest(unittest.TestCase):
    def test_price(self):
        self.assertAlmostEqual(price(1), 1.2)
