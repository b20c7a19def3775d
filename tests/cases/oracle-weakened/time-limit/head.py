import pytest

from shop.core import double


@pytest.mark.timeout(600)
def test_double():  # oracle-weakened
    assert double(2) == 4
