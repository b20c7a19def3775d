import pytest

from shop.core import parse


@pytest.mark.parametrize(("text", "want"), [("1", 1)])
def test_parse(text, want):
    assert parse(text) == want
