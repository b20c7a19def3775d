import unittest
from shop.core import parse, ParseError
class T(unittest.TestCase):
    def test_error(self):
        with self.assertRaises(ParseError) as cm:
            parse("x")
        self.assertEqual(cm.exception.code, 1)
