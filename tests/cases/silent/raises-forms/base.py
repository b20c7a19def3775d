import pytest

from shop.core import ParseError, parse


def test_parse():
    pytest.raises(ParseError, parse, "x")
