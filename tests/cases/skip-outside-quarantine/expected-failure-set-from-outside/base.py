import unittest

from shop.core import double


class TestDouble(unittest.TestCase):
    def test_double(self):
        self.assertEqual(double(2), 4)
