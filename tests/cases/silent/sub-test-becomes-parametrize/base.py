import unittest

from shop.core import double


class DoubleTest(unittest.TestCase):
    def test_values(self):
        for number, wanted in [(1, 2), (2, 4)]:
            with self.subTest(number=number):
                self.assertEqual(double(number), wanted)
