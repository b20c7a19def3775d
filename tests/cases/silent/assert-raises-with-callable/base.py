import unittest

from shop.core import ParseError, parse


class ParseTest(unittest.TestCase):
    def test_text(self):
        self.assertRaises(ParseError, parse, "x")
