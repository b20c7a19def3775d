from shop.core import total


def test_items_are_summed():
    assert total([1, 2]) == 3
    assert total([]) == 0
