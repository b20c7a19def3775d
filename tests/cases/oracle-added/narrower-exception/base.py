import pytest

from shop.core import parse


def test_parse():
    with pytest.raises(ValueError):
        parse("x")
