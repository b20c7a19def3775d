import pytest

from shop.core import total


slow = pytest.mark.skip(reason="slow")

@slow  # skip-outside-quarantine
def test_total():
    assert total([1, 2]) == 3
