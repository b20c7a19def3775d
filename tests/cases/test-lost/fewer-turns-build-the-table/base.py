import pytest
from shop.core import double
CASES = []
for n in range(6):
    CASES.append((n, 2 * n))
@pytest.mark.parametrize("a,b", CASES)
def test_a(a, b):
    assert double(a) == b
