import pytest
from shop.core import double
TABLE = {}
TABLE[1] = 2
TABLE[2] = 4
def test_a():
    for key, value in TABLE.items():
        assert double(key) == value  # oracle-removed
