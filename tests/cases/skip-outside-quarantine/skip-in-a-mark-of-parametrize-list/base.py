import pytest

from shop.core import parse


CASES = ["1", "22"]

@pytest.mark.parametrize("text", CASES)
def test_parse(text):
    assert parse(text) > 0
