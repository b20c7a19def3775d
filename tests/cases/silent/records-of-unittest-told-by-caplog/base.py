import unittest

from shop.core import log_in


class LogTest(unittest.TestCase):
    def test_log_in(self):
        with self.assertLogs("shop", level="WARNING") as logs:
            log_in("ada")
        self.assertEqual(logs.output, ["WARNING:shop:hello ada"])
