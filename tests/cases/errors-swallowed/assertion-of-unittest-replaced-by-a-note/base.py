import unittest

from shop.core import names


class NamesTest(unittest.TestCase):
    def test_names(self):
        self.assertListEqual(names(), ["ada", "bob"])
