import unittest

from shop.core import fetch


class FetchTest(unittest.TestCase):
    async def test_fetch(self):
        self.assertEqual(await fetch("a"), "A")
