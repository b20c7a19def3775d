import unittest
from shop.core import parse, ParseError
class T(unittest.TestCase):
    def test_error(self):
        exc = None
        try:
            parse("x")
        except ParseError as e:
            exc = e
        self.assertIsNotNone(exc)
        self.assertEqual(exc.code, 1)
