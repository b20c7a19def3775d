import pytest

from shop.core import ParseError, parse, double


def test_parse():
    with pytest.raises(ParseError):
        parse("x")
        assert double(2) == 4  # errors-swallowed
