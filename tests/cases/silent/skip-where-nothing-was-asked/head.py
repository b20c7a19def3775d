import pytest

from shop.core import Store


def test_sorted():
    store = Store()
    if not store.can_sort:
        pytest.skip("this store cannot sort")
    assert store.sorted([2, 1]) == [1, 2]
    assert store.sorted([]) == []
