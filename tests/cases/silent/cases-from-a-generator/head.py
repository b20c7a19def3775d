import pytest

from shop.core import double


def cases():
    yield 1, 2
    yield 2, 4
    yield 3, 6
@pytest.mark.parametrize(("n", "w"), cases())
def test_a(n, w):
    assert double(n) == w
