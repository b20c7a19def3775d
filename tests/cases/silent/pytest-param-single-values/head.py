import pytest

from shop.core import parse


@pytest.mark.parametrize("text", [pytest.param("1"), pytest.param("22", id="two digits")])
def test_parse(text):
    assert parse(text) > 0
