import pytest

from shop.core import double


@pytest.mark.parametrize(("n", "w"), [(1, 2), (2, 4), (3, 6)])
def test_a(n, w):
    assert double(n) == w  # test-lost
