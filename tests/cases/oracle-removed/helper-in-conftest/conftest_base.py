import pytest


@pytest.fixture
def checked():
    def check(cart):
        assert cart.items == [1]
        assert cart.total() == 1  # oracle-removed
    return check
