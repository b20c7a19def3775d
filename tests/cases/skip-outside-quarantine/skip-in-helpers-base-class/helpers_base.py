import unittest


class Checks(unittest.TestCase):
    def setUp(self):
        self.items = []
