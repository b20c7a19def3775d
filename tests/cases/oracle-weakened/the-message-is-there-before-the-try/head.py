import pytest
from shop.core import parse, ParseError

def test_error():
    message = "bad text: x"
    try:
        parse("x")
    except ParseError as e:
        message = str(e)
    assert message == "bad text: x"  # oracle-weakened
