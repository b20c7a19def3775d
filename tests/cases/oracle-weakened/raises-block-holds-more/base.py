import pytest

from shop.core import ParseError, double, parse


def test_parse():
    text = str(double(4))
    with pytest.raises(ParseError):
        parse("x")
