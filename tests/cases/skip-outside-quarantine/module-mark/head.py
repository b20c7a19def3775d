import pytest

from shop.core import total


pytestmark = pytest.mark.skip(reason="later")  # skip-outside-quarantine

def test_total():
    assert total([1, 2]) == 3
