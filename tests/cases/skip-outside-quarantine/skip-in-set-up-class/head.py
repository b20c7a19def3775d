import unittest

from shop.core import total


class TotalTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise unittest.SkipTest("later")  # skip-outside-quarantine

    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
