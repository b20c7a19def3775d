import operator

import pytest

from shop.core import double


@pytest.mark.parametrize(("compare", "expected"), [(operator.eq, 4), (operator.gt, 3)])
def test_double(compare, expected):
    assert compare(double(2), expected)
