import unittest
from shop.core import Cart

class T(unittest.TestCase):
    def test_it(self):
        c = Cart()
        c.add(1)
        before = c.total()
        c.reload()
        self.assertEqual(before, c.total())
