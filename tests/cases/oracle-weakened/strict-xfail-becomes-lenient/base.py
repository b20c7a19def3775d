import pytest

from shop.core import ParseError, parse


@pytest.mark.xfail(raises=ParseError, strict=True)
def test_parse():
    assert parse("x") == 3
