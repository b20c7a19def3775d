import unittest

from shop.core import ParseError, parse


class TestParse(unittest.TestCase):
    def test_parse(self):
        self.assertRaisesRegex(ParseError, "bad text: x", parse, "x")
