import pytest

from shop.core import double, parse


@pytest.mark.parametrize("text", ["1", "22"])
def test_parse(text):
    assert parse(text) > 0

@pytest.mark.parametrize("text", ["1", "22"])
def test_double(text):
    assert double(parse(text)) > 0
