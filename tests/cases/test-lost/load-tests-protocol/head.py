import unittest

from shop.core import total


class TotalTest(unittest.TestCase):
    def check_total(self):
        self.assertEqual(total([1, 2]), 3)
