import pytest

from shop.core import total


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("second", [3, 4])
def test_total(first, second):
    assert total([first, second]) == first + second
