import unittest

from shop.core import fill


class Test(unittest.TestCase):
    def test_fill(self):
        basket = []
        fill(basket)
        self.assertEqual(basket, [1, 2])
