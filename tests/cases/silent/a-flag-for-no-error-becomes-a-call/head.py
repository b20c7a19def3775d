import pytest
from shop.core import parse, ParseError
def test_error():
    parse("x")
