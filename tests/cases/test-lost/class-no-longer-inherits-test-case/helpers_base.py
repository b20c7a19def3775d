import unittest


class ShopCase(unittest.TestCase):
    pass
