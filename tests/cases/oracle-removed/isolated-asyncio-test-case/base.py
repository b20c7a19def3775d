import unittest

from shop.core import fetch


class FetchTest(unittest.IsolatedAsyncioTestCase):
    async def test_fetch(self):
        self.assertEqual(await fetch("a"), "A")
        self.assertEqual(await fetch("b"), "B")  # oracle-removed
