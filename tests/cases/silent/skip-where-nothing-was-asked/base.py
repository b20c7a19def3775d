from shop.core import Store


def test_sorted():
    store = Store()
    assert store.sorted([2, 1]) == [1, 2] or not store.can_sort
    assert store.sorted([]) == [] or not store.can_sort
