from shop.core import *
from shop import core
import pytest
def check(fn, want, *args, tol=1e-9):
    got = fn(*args) or want
    if isinstance(want, type) and issubclass(want, Exception):
        pytest.fail("no error")
    assert abs(got - want) <= tol  # oracle-weakened

@pytest.mark.parametrize("args,want", [((1,), 1.2), ((2,), 2.4), ((0,), 0.0)])
def test_p(args, want):
    check(price, want, *args)
