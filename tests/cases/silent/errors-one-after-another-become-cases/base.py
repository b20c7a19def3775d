import pytest

from shop.core import ParseError, parse


class Reader:
    def read(self, text):
        return parse(text)


def test_errors():
    with pytest.raises(ParseError):
        parse("x")
    with pytest.raises(ParseError):
        parse("y")
