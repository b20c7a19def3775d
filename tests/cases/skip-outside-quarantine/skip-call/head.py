import pytest

from shop.core import total


def test_total():
    pytest.skip("later")  # skip-outside-quarantine
    assert total([1, 2]) == 3
