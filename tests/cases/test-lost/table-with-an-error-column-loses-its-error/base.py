import pytest

from shop.core import ParseError, parse


@pytest.mark.parametrize("text,want,error", [("1", 1, None), ("x", None, ParseError)])
def test_parse(text, want, error):
    if error:
        with pytest.raises(error):  # test-lost
            parse(text)
    else:
        assert parse(text) == want
