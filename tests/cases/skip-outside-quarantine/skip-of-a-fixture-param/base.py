import pytest

from shop.core import double


@pytest.fixture(params=[1, 2])
def n(request):
    return request.param

def test_a(n):
    assert double(n) == n + n
