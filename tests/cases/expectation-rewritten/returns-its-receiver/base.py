import pytest

from shop.core import ParseError, request


def test_check():
    for text in ("1", "x"):
        answer = request(text)
        if text == "x":
            with pytest.raises(ParseError):
                answer.check()
        else:
            assert answer.check() is None
