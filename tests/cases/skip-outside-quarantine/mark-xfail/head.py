import pytest

from shop.core import total


@pytest.mark.xfail  # skip-outside-quarantine
def test_total():
    assert total([1, 2]) == 3
