import unittest

from shop.core import parse


class ParseTest(unittest.TestCase):
    def test_text(self):
        self.assertEqual(parse("4"), 4)
        if parse("5") != 5:
            print("five")
