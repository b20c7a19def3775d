import unittest
from shop.core import price

class Lock:
    def __init__(self):
        self.count = 0
    def hit(self):
        self.count += 1

class T(unittest.TestCase):
    def test_it(self):
        lock = Lock()
        price(lock)
        self.assertEqual(lock.count, 4)
        price(lock)
        self.assertEqual(lock.count, 5)
