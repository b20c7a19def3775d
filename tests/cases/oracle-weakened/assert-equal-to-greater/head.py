import unittest

from shop.core import total


class TotalTest(unittest.TestCase):
    def test_total(self):
        self.assertGreater(total([1, 2]), 0)  # oracle-weakened
