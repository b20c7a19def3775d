import unittest

from shop.core import ParseError, parse


class ParseTest(unittest.TestCase):
    def test_text(self):
        with self.assertRaisesRegex(ParseError, "bad text: x"):
            parse("x")
