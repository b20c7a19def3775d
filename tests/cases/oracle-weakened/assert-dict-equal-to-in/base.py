import unittest

from shop.core import find


class FindTest(unittest.TestCase):
    def test_find(self):
        self.assertDictEqual(find("ada"), {"name": "Ada", "age": 36})
