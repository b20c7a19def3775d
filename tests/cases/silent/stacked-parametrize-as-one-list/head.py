import pytest

from shop.core import total


@pytest.mark.parametrize(("first", "second"), [(1, 3), (1, 4), (2, 3), (2, 4)])
def test_total(first, second):
    assert total([first, second]) == first + second
