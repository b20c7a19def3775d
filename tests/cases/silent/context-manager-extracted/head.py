import pytest

from shop.core import ParseError, parse


def refuses(text):
    return pytest.raises(ParseError, match=f"bad text: {text}")

def test_parse():
    with refuses("x"):
        parse("x")
