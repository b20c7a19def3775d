import pytest

from shop.core import ParseError, parse


def test_parse():
    with pytest.raises(ParseError, match="bad text: x"):  # oracle-added
        parse("x")
