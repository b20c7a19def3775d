import unittest
import warnings

from shop.core import double, price, warn_old


class TestWarnings(unittest.TestCase):
    def test_only(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.assertEqual(double(1), 1)
        self.assertEqual(len(caught), 1)
        self.assertIs(caught[0].category, DeprecationWarning)

    def test_beside(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            warn_old()
            self.assertGreater(price(2), double(1))
            self.assertRaises(TypeError, double, None)
        self.assertIn("old", str(caught[0].message))

    def test_expected(self):
        with self.assertWarns(DeprecationWarning):
            self.assertEqual(double(2), 4)
