import pytest

from shop.core import double


@pytest.fixture(params=[1, pytest.param(2, marks=pytest.mark.skip)])  # skip-outside-quarantine
def n(request):
    return request.param

def test_a(n):
    assert double(n) == n + n
