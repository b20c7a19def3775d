import unittest

from shop.core import double, log_in


class LogTest(unittest.TestCase):
    def test_login(self):
        self.assertEqual(double(1), 2)
        with self.assertLogs("shop", "WARNING"):  # oracle-removed
            log_in("ada")
