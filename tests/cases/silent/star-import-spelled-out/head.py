import pytest

from shop.core import double
from helpers import CASES, TestShared, test_free


@pytest.mark.parametrize(("n", "w"), CASES)
def test_a(n, w):
    assert double(n) == w
