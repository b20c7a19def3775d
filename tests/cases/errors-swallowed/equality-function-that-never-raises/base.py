import unittest

from shop.core import find


class TestFind(unittest.TestCase):
    def test_find(self):
        self.assertEqual(find("ada"), {"name": "Ada", "age": 36})
