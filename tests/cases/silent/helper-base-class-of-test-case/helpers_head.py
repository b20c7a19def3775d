import unittest


class ShopTestCase(unittest.TestCase):
    maxDiff = None
