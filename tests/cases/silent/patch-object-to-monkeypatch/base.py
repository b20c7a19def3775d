from unittest import mock
import unittest

from shop.core import clock


from shop import core

class ClockTest(unittest.TestCase):
    @mock.patch.object(core, "clock", return_value=5)
    def test_clock(self, clock):
        self.assertEqual(core.total([1, 2]), 3)
