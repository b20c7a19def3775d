import pytest

from shop.core import ParseError


def test_parse():
    with pytest.raises(ParseError):
        raise ParseError("bad text: x")
