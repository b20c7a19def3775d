import unittest


class TestTotal(unittest.TestCase):
    def test_total(self):
        values = [15, 83, 12]
        self.assertEqual(sum(values), 112)
