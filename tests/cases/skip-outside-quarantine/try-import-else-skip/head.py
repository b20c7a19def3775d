import pytest

from shop.core import total


try:
    import nothing_like_this
except ImportError:
    nothing_like_this = None

@pytest.mark.skipif(nothing_like_this is None, reason="not installed")  # skip-outside-quarantine
def test_total():
    assert total([1, 2]) == 3
