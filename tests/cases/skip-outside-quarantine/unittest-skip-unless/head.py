import os
import unittest

from shop.core import total


@unittest.skipUnless(os.getenv("ALL"), "slow")  # skip-outside-quarantine
class TotalTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
