import pytest

from shop.core import parse


pytestmark = pytest.mark.parametrize("text", ["1"])

def test_parse(text):
    assert parse(text) > 0
