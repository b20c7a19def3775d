import pytest

from shop.core import parse


@pytest.mark.parametrize("text", [pytest.param("1", id="one"), pytest.param("22", id="two")])
def test_parse(text):
    assert parse(text) > 0  # test-lost
