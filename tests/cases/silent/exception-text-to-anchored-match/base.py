import pytest

from shop.core import ParseError, parse


def test_parse():
    with pytest.raises(ParseError) as caught:
        parse("x")
    assert str(caught.value) == "bad text: x"
