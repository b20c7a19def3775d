import pytest

from shop.core import ParseError, parse


def test_beginning():
    with pytest.raises(ParseError) as info:
        parse("x")
    assert str(info.value).startswith("bad text")


def test_more_of_it():
    with pytest.raises(ParseError, match="^bad"):
        parse("y")


def test_class():
    with pytest.raises(ParseError) as info:
        parse("z")
    assert isinstance(info.value, ParseError)
    assert isinstance(info.value, ValueError)
    assert info.value.code == 1
