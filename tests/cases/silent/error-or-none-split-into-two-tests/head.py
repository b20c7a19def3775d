import pytest

from shop.core import ParseError, parse


@pytest.mark.parametrize(("text", "number"), [("7", 7)])
def test_parse(text, number):
    assert parse(text) == number


def test_parse_refuses():
    with pytest.raises(ParseError, match="bad text"):
        parse("x")
