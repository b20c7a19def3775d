import pytest
from shop.core import parse, ParseError
def test_error():
    with pytest.raises(ParseError):
        parse("x")
