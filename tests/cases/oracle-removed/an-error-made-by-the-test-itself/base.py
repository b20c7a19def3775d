import pytest
from shop.core import parse, ParseError

def test_bad():
    error = None
    try:
        parse("x")
    except ParseError as caught:
        error = caught
    assert error is not None  # oracle-removed
    assert error.code == 1
