import pytest
from shop.core import double, names
CASES = [(1, 2), (2, 4)]
class SharedTests:
    def test_s(self):
        assert double(3) == 6
class TestShared:
    def test_t(self):
        assert names() == ["ada", "bob"]
def test_free():
    assert double(4) == 8
__all__ = ["CASES"]
