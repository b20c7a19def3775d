import pytest

from shop.core import ParseError, names, parse


def test_parse():
    with pytest.raises(ParseError):  # oracle-weakened
        text = parse(names()[0])
        parse("x")
