import pytest

from shop.core import ParseError, parse


def test_parse():
    with pytest.raises(ParseError):
        parse("x")
