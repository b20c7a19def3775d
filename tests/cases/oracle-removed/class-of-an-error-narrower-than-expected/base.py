import pytest

from shop.core import ParseError, parse


def test_class():
    with pytest.raises(ValueError) as info:
        parse("x")
    assert isinstance(info.value, ParseError)  # oracle-removed
    assert str(info.value) == "bad text: x"
