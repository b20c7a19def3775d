import pytest

from shop.core import ParseError, double, parse


@pytest.mark.parametrize(("text", "want"), [("1", 1)])
def test_parse(text, want):
    assert parse(text) == want


@pytest.mark.parametrize("text", ["x"])
def test_parse_rejects(text):
    with pytest.raises(ParseError):
        parse(text)


@pytest.mark.parametrize(("number", "want"), [(1, 2), (2, 4)])
def test_double(number, want):
    assert double(number) == want


def test_double_rejects():
    with pytest.raises(TypeError):
        double("x")
