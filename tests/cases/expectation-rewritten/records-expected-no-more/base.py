import unittest

from shop.core import log_in


class LogTest(unittest.TestCase):
    def test_log_in(self):
        with self.assertLogs("shop", level="WARNING"):
            log_in("ada")
