import pytest

from shop.core import parse


@pytest.fixture(params=["1", "22"])
def text(request):
    return request.param

def test_parse(text):
    assert parse(text) > 0
