import pytest

from shop.core import total


@pytest.mark.skip(reason="waits for the new till")
def test_total():
    assert total([1, 2]) == 3
