import unittest

from shop.core import names


class TestNames(unittest.TestCase):
    def test_names(self):
        self.assertCountEqual(names(), ["ada", "bob"])
