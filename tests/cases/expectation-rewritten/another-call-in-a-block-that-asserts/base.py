import unittest
import warnings

from shop.core import double, price


class TestWarnings(unittest.TestCase):
    def test_only(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.assertEqual(double(1), 2)
        self.assertIs(caught[0].category, DeprecationWarning)
