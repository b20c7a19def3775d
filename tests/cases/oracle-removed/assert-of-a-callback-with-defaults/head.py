import unittest

from shop.core import double


class TestDouble(unittest.TestCase):
    def test_wrapped(self):
        @double(1)
        def check(number, key=None, want=4):
            self.assertEqual(number, want)  # expectation-rewritten

        self.assertEqual(check(1, key="v"), 3)
