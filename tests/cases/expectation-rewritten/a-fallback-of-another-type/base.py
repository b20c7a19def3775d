from unittest import TestCase

from shop.core import names


class TestNames(TestCase):
    def test_names(self):
        self.assertCountEqual(names() or 0, ["ada", "bob"])
