import unittest

from shop.core import double


class TestDouble(unittest.TestCase):
    def test_wrapped(self):
        @double(1)
        def check(number, key=None, want=3):
            self.assertEqual(key, "v")  # oracle-removed
            self.assertEqual(number, want)

        self.assertEqual(check(1, key="v"), 3)
