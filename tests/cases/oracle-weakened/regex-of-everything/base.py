import unittest

from shop.core import find


class NameTest(unittest.TestCase):
    def test_name(self):
        self.assertRegex(find("ada")["name"], r"^Ada$")
