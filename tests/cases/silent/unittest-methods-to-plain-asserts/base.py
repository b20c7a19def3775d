from unittest import mock
import unittest

from shop.core import find, names, send, total


class TotalTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([1, 2]), 3)
        self.assertNotEqual(total([1, 2]), 4)
        self.assertTrue(total([1]))
        self.assertGreater(total([1]), 0)
        self.assertIsInstance(total([1]), int)
        self.assertListEqual(names(), ["ada", "bob"])
        self.assertNotIn("eve", names())
        self.assertIs(send(mock.Mock(), "x"), True)
        self.assertIsNotNone(find("ada"))
