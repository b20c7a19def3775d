import pytest

from shop.core import names, parse


def test_names():
    assert len(names()) > 1  # oracle-weakened


def test_nose():
    with pytest.raises(Exception):  # oracle-weakened
        parse("x")
