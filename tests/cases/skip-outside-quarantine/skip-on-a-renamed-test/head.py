import pytest

from shop.core import total


@pytest.mark.skip  # skip-outside-quarantine
def test_sum_of_items():
    assert total([1, 2]) == 3
