import pytest

from shop.core import ParseError, parse


def test_beginning():
    with pytest.raises(ParseError, match="bad text"):  # oracle-weakened
        parse("x")


def test_less_of_it():
    with pytest.raises(ParseError, match="^bad"):  # oracle-weakened
        parse("y")
