import sys

import pytest

from shop.core import total


@pytest.mark.skipif(sys.platform == "win32", reason="posix")
def test_total():
    assert total([1, 2]) == 3
