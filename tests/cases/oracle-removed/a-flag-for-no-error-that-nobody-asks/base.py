import pytest
from shop.core import parse, ParseError
def test_error():
    ok = True
    try:
        parse("x")
    except ParseError:
        ok = False
    assert ok  # oracle-removed
