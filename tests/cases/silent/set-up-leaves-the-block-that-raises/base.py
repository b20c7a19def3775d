import unittest

import pytest

from shop.core import Cart, ParseError, parse, warn_old


def test_text():
    with pytest.raises(ParseError, match="bad text"):
        cart = Cart()
        cart.add("x")
        parse(cart.items[0])


def test_error():
    with pytest.raises(ParseError) as caught:
        text = "zz"
        cart = Cart()
        cart.add(parse(text))
    assert "zz" in str(caught.value)
    assert caught.value.code == 1


def test_warning():
    with pytest.warns(DeprecationWarning, match="old name"):
        cart = Cart()
        cart.add(2)
        warn_old()


class TestCart(unittest.TestCase):
    def test_regex(self):
        with self.assertRaises(ParseError) as caught:
            cart = Cart()
            cart.add(parse("zz"))
        self.assertEqual(str(caught.exception), "bad text: zz")
