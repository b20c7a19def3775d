import pytest

from shop.core import total


def test_total():
    assert total([1, 2]) == 3

if __name__ == "__main__":
    raise SystemExit(pytest.main([__file__]))
