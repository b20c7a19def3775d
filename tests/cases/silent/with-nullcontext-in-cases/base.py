import pytest

from shop.core import ParseError, parse


def test_parse():
    assert parse("4") == 4
    with pytest.raises(ParseError):
        parse("x")
