from shop.core import Store


def test_sorted():
    store = Store()
    assert store.sorted([2, 1]) == [1, 2] or not store.can_sort
    assert store.sorted([]) == []


def test_other():
    store = Store()
    assert store.sorted([2, 1]) == [1, 2] or store.can_sort
