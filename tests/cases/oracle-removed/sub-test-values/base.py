import unittest

from shop.core import double


class DoubleTest(unittest.TestCase):
    def test_values(self):
        for number, wanted in [(1, 2), (2, 4), (3, 6)]:
            with self.subTest(number):
                self.assertEqual(double(number), wanted)  # oracle-removed
