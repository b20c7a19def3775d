from shop.core import Cart


def test_cart():
    assert Cart().items == []
