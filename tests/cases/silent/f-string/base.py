import pytest

from shop.core import ParseError, parse


def test_parse():
    key = "x"
    with pytest.raises(ParseError) as caught:
        parse(key)
    assert str(caught.value) == f"bad text: {key}"
