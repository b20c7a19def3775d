import pytest

from shop.core import ParseError, parse


def test_a():
    with pytest.raises(ParseError):
        parse("x")
