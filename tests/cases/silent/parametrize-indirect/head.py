import pytest

from shop.core import parse


@pytest.fixture
def text(request):
    return request.param

@pytest.mark.parametrize("text", ["1", "22"], indirect=True)
def test_parse(text):
    assert parse(text) > 0
