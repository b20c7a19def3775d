import contextlib

import pytest

from shop.core import ParseError, parse


@pytest.mark.parametrize(("text", "outcome"), [("4", contextlib.nullcontext(4)), ("x", pytest.raises(ParseError))])
def test_parse(text, outcome):
    with outcome as wanted:
        assert parse(text) == wanted
