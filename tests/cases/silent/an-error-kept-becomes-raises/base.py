import pytest
from shop.core import parse, ParseError
def test_error():
    err = None
    try:
        parse("x")
    except ParseError as e:
        err = e
    assert err is not None
    assert err.code == 1
    assert str(err) == "bad"
