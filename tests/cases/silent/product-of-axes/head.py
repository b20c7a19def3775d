import itertools

import pytest

from shop.core import total


@pytest.mark.parametrize(("first", "second"), itertools.product([1, 2], [3, 4]))
def test_total(first, second):
    assert total([first, second]) == first + second
