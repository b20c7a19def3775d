import pytest

from shop.core import parse


def test_class():
    with pytest.raises(ValueError) as info:
        parse("x")
    assert str(info.value) == "bad text: x"
