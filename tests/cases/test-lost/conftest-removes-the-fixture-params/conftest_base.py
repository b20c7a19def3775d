import pytest


@pytest.fixture(params=["1", "22", "333"])
def text(request):
    return request.param
