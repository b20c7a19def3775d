import pytest

from shop.core import ParseError, parse


def test_parse():
    try:
        got = parse("4")
    except ParseError as error:
        pytest.fail(f"no number: {error}")
    assert got == 4
