import pytest

from shop.core import ParseError, parse


def test_parse():
    with pytest.raises(ParseError, check=lambda found: found.code == 1):
        parse("x")
