import pytest

from shop.core import total


yaml = pytest.importorskip("yaml")
def test_a():
    assert total([1]) == 1
