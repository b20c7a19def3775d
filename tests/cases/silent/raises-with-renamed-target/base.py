import pytest

from shop.core import ParseError, parse


def test_parse():
    with pytest.raises(ParseError) as exc:
        parse("x")
    assert exc.value.code == 1
