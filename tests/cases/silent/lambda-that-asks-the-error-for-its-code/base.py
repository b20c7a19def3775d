import pytest

from shop.core import ParseError, parse


def test_parse():
    with pytest.raises(ParseError) as caught:
        parse("x")
    assert caught.value.code == 1
