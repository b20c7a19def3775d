import pytest

from shop.core import total


@pytest.mark.parametrize(("first", "second"), list(zip([1, 2], [3, 4])))
def test_total(first, second):
    assert total([first, second]) == first + second
