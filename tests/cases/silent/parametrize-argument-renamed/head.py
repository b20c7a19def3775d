import pytest

from shop.core import double


@pytest.mark.parametrize("given, result", [(1, 2), (2, 4)])
def test_double(given, result):
    assert double(given) == result
