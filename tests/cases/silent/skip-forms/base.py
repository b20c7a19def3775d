import sys
import unittest

from shop.core import total


class TotalTest(unittest.TestCase):
    @unittest.skipIf(sys.platform == "win32", "posix")
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
