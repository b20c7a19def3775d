import unittest

from shop.core import total


class Exact(unittest.TestCase):
    def check(self, items, expected):
        self.assertEqual(total(items), expected)


class Typed(unittest.TestCase):
    def assertTrue(self, value):
        self.assertIs(value, True)


class TestTotal(Exact, Typed):
    def test_total(self):
        self.check([1, 2], 3)
        self.assertTrue(total([]) == 0)
