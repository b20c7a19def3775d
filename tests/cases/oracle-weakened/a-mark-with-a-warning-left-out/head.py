import pytest
from shop.core import double

@pytest.mark.filterwarnings("error", "ignore::DeprecationWarning")
def test_quiet():  # oracle-weakened
    assert double(2) == 4
