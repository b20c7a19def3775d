import unittest

from shop.core import ParseError, parse, total


class TotalTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
        self.assertEqual(total([]), 0)
        with self.assertRaises(ParseError):
            parse("x")
