import pytest

from shop.core import parse


@pytest.mark.parametrize("text", [])
def test_parse(text):
    assert parse(text) > 0
