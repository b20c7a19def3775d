import unittest

from shop.core import price


class PriceTest(unittest.TestCase):
    def test_price(self):
        self.assertAlmostEqual(price(10), 12.0, places=1)  # oracle-weakened
