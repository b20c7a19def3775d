import unittest, warnings
from shop.core import double

class TestQuiet(unittest.TestCase):
    def test_quiet(self):  # oracle-weakened
        with warnings.catch_warnings(record=True) as caught:
            self.assertEqual(double(2), 4)
        self.assertEqual(caught, [])
