import unittest
from shop.core import Cart, price

class T(unittest.TestCase):
    def test_it(self):
        calls = []
        price(calls.append)
        assert calls == [4]
        price(calls.append)
        assert calls == [4, 5]
