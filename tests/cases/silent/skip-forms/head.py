import sys
import unittest

import pytest

from shop.core import total


class TotalTest(unittest.TestCase):
    @pytest.mark.skipif(sys.platform == "win32", reason="posix only")
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
