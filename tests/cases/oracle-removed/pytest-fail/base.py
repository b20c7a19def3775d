import pytest

from shop.core import parse


def test_text():
    assert parse("4") == 4
    if parse("5") != 5:
        pytest.fail("five")  # oracle-removed
