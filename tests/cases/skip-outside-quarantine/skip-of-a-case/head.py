import pytest

from shop.core import parse


@pytest.mark.parametrize("text", ["1", pytest.param("22", marks=pytest.mark.skip)])  # skip-outside-quarantine
def test_parse(text):
    assert parse(text) > 0
