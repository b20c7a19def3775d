import pytest

from shop.core import double


@pytest.mark.timeout(2)
def test_double():
    assert double(2) == 4
