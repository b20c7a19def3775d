import pytest

from shop.core import ParseError, parse


def test_parse():
    with pytest.raises(ParseError) as excinfo:
        parse("x")
    assert excinfo.value.code == 1
