import pytest

from shop.core import total


import itertools as it

@pytest.mark.parametrize(("first", "second"), list(it.product([1, 2], [3, 4])))
def test_total(first, second):
    assert total([first, second]) == first + second  # test-lost
