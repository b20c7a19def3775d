import pytest

from shop.core import ParseError, parse, total


def test_total():
    assert total([1, 2]) == 3
    assert total([]) == 0
    with pytest.raises(ParseError):
        parse("x")
