import pytest


@pytest.fixture(params=["1"])
def text(request):
    return request.param
