import pytest

from shop.core import total


@pytest.mark.xfail(strict=True, reason="known")  # skip-outside-quarantine
def test_total():
    assert total([1, 2]) == 3
