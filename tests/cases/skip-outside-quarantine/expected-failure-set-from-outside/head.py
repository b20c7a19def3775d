import unittest

from shop.core import double


class TestDouble(unittest.TestCase):
    def test_double(self):
        self.assertEqual(double(2), 4)


TestDouble.test_double.__unittest_expecting_failure__ = True  # skip-outside-quarantine
