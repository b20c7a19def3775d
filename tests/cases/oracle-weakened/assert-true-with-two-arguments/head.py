import unittest

from shop.core import total


class TotalTest(unittest.TestCase):
    def test_total(self):
        self.assertTrue(total([1, 2]), 3)  # oracle-weakened
