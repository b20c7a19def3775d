import pytest

from shop.core import ParseError, double, parse


@pytest.mark.parametrize("text,want,error", [("1", 1, None), ("x", None, ParseError)])
def test_parse(text, want, error):
    if error:
        with pytest.raises(error):
            parse(text)
    else:
        assert parse(text) == want


@pytest.mark.parametrize("number,want", [(1, 2), (2, 4), ("x", TypeError)])
def test_double(number, want):
    if isinstance(want, type) and issubclass(want, Exception):
        with pytest.raises(want):
            double(number)
    else:
        assert double(number) == want
