import pytest
from shop.core import double

@pytest.mark.filterwarnings("error")
def test_quiet():
    assert double(2) == 4
