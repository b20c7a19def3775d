import pytest
from shop.core import parse, ParseError
def test_error():
    with pytest.raises(ParseError) as info:
        parse("x")
    assert info.value.code == 1
    assert str(info.value) == "bad"
