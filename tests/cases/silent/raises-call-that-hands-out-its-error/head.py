import pytest

from shop.core import ParseError, parse


def test_parse():
    error = pytest.raises(ParseError, parse, "x")
    error.match("bad text")
    assert error.value.code == 1
