import unittest

from shop.core import total


class Checks(unittest.TestCase):
    pass

class TotalTest(Checks):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
