import contextlib

from shop.core import ParseError, parse


def test_parse():
    assert parse("4") == 4
    with contextlib.suppress(ParseError):
        parse("x")
