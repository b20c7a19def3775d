from shop.core import Cart


def test_empty():
    assert Cart().is_empty()
