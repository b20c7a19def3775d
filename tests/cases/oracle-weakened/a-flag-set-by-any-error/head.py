import pytest
from shop.core import parse, ParseError

def test_error():
    raised = False
    try:
        parse("x")
    except Exception:
        raised = True
    assert raised  # oracle-weakened
