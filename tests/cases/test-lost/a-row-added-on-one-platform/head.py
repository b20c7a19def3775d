import sys
import pytest
from shop.core import double
CASES = [(1, 2)]
if sys.platform == "win32":
    CASES += [(2, 4)]
@pytest.mark.parametrize("a,b", CASES)
def test_a(a, b):
    assert double(a) == b  # oracle-weakened
