import unittest

from shop.core import double, total


class Totals(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)  # test-lost

def test_double():
    assert double(1) == 2
