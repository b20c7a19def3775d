import pytest
from shop.core import parse, ParseError

def test_error():
    raised = False
    try:
        parse("x")
    except ParseError:
        raised = True
    assert raised
