import unittest

from shop.core import double


class TestDouble(unittest.TestCase):
    def test_wrapped(self):
        @double(1)
        def check(number, key=None, *, more=None):
            self.assertEqual(number, 1)
            self.assertEqual(key, "v")
            self.assertEqual(more, 2)

        self.assertEqual(check(1, key="v"), 3)
