import pytest

from shop.core import total


numpy = pytest.importorskip("numpy")  # skip-outside-quarantine

def test_total():
    assert total([1, 2]) == 3
