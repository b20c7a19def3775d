import pytest


@pytest.fixture
def check():
    def run(cart, items):
        assert cart.items == items
    return run
