import pytest

from shop.core import ParseError, parse


def test_beginning():
    with pytest.raises(ParseError) as info:
        parse("x")
    assert str(info.value).startswith("bad text")


def test_less_of_it():
    with pytest.raises(ParseError, match="^bad text"):
        parse("y")
