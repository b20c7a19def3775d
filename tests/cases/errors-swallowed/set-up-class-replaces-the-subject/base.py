import unittest


from shop import core

class TotalTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(core.total([1, 2]), 3)
