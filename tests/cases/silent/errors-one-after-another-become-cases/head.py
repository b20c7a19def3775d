import pytest

from shop.core import ParseError, parse


@pytest.mark.parametrize("text", ["x", "y"])
def test_errors(text):
    with pytest.raises(ParseError):
        parse(text)
