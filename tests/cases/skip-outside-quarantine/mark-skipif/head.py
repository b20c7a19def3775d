import sys

import pytest

from shop.core import total


@pytest.mark.skipif(sys.version_info > (3, 0), reason="old")  # skip-outside-quarantine
def test_total():
    assert total([1, 2]) == 3
