import pytest

from shop.core import ParseError, parse


def test_code():
    with pytest.raises(ParseError):
        parse("x")
