import pytest

from shop.core import parse


CASES = {"1"}

@pytest.mark.parametrize("text", sorted(CASES))
def test_parse(text):
    assert parse(text) > 0
