import re
import unittest

from shop.core import names, price


class PriceTest(unittest.TestCase):
    def test_price(self):
        self.assertRegex(names()[0], "a+")
        self.assertNotRegex(names()[0], "z+")
        self.assertAlmostEqual(price(1), 1.2)
        self.assertAlmostEqual(price(2), 2.4, places=3)

    def test_start(self):
        self.assertIsNotNone(re.match("ad", names()[0]))
