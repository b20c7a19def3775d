import pytest


@pytest.fixture
def checked():
    def check(cart):
        assert cart.items == [1]
    return check
