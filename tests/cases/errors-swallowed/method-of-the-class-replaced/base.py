from shop.core import Cart, total
from shop import core


def test_a():
    assert Cart().total() == 3
