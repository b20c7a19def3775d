import unittest

from shop.core import total


class TotalTest(unittest.TestCase):
    def test_total(self):
        self.skipTest("later")  # skip-outside-quarantine
        self.assertEqual(total([1, 2]), 3)
