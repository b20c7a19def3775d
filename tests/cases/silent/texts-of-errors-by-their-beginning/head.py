import pytest

from shop.core import ParseError, parse


def test_beginning():
    with pytest.raises(ParseError, match="^bad text"):
        parse("x")


def test_more_of_it():
    with pytest.raises(ParseError, match="^bad text: y$"):
        parse("y")


def test_class():
    with pytest.raises(ParseError) as info:
        parse("z")
    assert info.value.code == 1
