import unittest

from shop.core import ParseError, parse


class ParseTest(unittest.TestCase):
    def test_text(self):
        with self.assertRaises(ParseError) as caught:
            parse("x")
        self.assertEqual(caught.exception.code, 1)
