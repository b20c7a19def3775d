import pytest

from shop.core import ParseError, parse


@pytest.mark.parametrize(("text", "number", "error"), [("7", 7, None), ("x", None, ParseError)])
def test_parse(text, number, error):
    if error is not None:
        with pytest.raises(error, match="bad text"):
            parse(text)
    else:
        assert parse(text) == number
