import unittest

from shop.core import log_in


class LogTest(unittest.TestCase):
    def test_log_in(self):
        with self.assertNoLogs("shop", level="WARNING"):  # expectation-rewritten
            log_in("ada")
