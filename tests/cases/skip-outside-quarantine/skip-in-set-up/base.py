import unittest

from shop.core import total


class TotalTest(unittest.TestCase):
    def setUp(self):
        self.items = [1, 2]

    def test_total(self):
        self.assertEqual(total(self.items), 3)
