import pytest

from shop.core import parse


def test_parse():
    with pytest.raises(Exception):  # oracle-weakened
        parse("x")
