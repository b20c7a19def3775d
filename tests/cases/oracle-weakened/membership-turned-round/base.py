import unittest

from shop.extra import greet


class TestGreet(unittest.TestCase):
    def test_greet(self):
        self.assertIn("ada", greet("ada"))
