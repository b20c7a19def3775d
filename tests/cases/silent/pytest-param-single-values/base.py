import pytest

from shop.core import parse


@pytest.mark.parametrize("text", ["1", "22"])
def test_parse(text):
    assert parse(text) > 0
