import unittest

from shop.core import Cart, ParseError, find, parse, price


class CartTest(unittest.TestCase):
    def setUp(self):
        self.cart = Cart()

    def test_add(self):
        self.cart.add(1)
        self.assertEqual(self.cart.items, [1])
        self.assertFalse(self.cart.is_empty())
        self.assertIn(1, self.cart.items)
        self.assertIsNone(find("bob"))
        self.assertAlmostEqual(price(10), 12.0)
        with self.assertRaises(ParseError):
            parse("x")
        with self.assertRaisesRegex(ParseError, "bad"):
            parse("y")
