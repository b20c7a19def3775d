import pytest

from shop.core import ParseError, parse


def test_parse():
    with pytest.raises(ParseError, check=lambda error: error.code == 1):
        parse("x")
