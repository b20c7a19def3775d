import pytest

from shop.core import double


@pytest.mark.flaky(reruns=5)  # errors-swallowed
def test_double():
    assert double(2) == 4
