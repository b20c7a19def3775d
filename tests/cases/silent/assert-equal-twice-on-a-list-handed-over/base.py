import unittest
from shop.core import Cart, price

class T(unittest.TestCase):
    def test_it(self):
        calls = []
        price(calls.append)
        self.assertEqual(calls, [4])
        price(calls.append)
        self.assertEqual(calls, [4, 5])
