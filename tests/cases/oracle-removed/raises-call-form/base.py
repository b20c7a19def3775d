import pytest

from shop.core import ParseError, parse


def test_parse():
    assert parse("4") == 4
    pytest.raises(ParseError, parse, "x")  # oracle-removed
