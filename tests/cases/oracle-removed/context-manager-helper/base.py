import contextlib

from shop.core import Cart


@contextlib.contextmanager
def unchanged(cart):
    before = list(cart.items)
    yield
    assert cart.items == before  # oracle-removed

def test_total():
    cart = Cart()
    with unchanged(cart):
        assert cart.total() == 0
