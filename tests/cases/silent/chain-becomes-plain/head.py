import pytest

from shop.core import ParseError, names, parse


def test_names():
    assert len(names()) == 2
    assert len(names()) > 1


def test_nose():
    assert parse("3") == 3
    assert "ada" in names()
    with pytest.raises(ParseError):
        parse("x")
