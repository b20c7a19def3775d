import unittest

from shop.core import find


class FindTest(unittest.TestCase):
    def test_find(self):
        self.assertIn("name", find("ada"))  # oracle-weakened
