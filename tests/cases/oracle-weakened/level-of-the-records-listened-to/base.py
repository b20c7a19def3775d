import unittest

from shop.core import clock, log_in


class LogTest(unittest.TestCase):
    def test_log_in(self):
        with self.assertLogs("shop", level="WARNING"):
            log_in("ada")

    def test_any_logger(self):
        with self.assertLogs("shop", level="WARNING"):
            log_in("bob")

    def test_quiet(self):
        with self.assertNoLogs("shop", level="WARNING"):
            clock()
