import pytest
from shop.core import parse, ParseError
def test_error():
    try:
        parse("x")
    except ParseError:
        raised = True
    else:
        raised = False
    assert raised is True
