import unittest

from shop.core import pair


class PairTest(unittest.TestCase):
    def test_good(self):
        self.assertTupleEqual(pair("a=1"), ("a", "1"))

    def test_bad(self):
        with self.assertRaises(ValueError) as caught:
            pair("a")
        self.assertEqual(caught.exception.args[0], "bad pair: a")
