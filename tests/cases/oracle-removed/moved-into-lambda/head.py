import unittest

from shop.core import total


class TotalTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
        later = lambda: self.assertEqual(total([]), 0)
