import pytest

from shop.core import double
from helpers import *


@pytest.mark.parametrize(("n", "w"), CASES)
def test_a(n, w):
    assert double(n) == w
