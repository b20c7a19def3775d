import pytest

from shop.core import Store


def test_sorted():
    store = Store()
    if not store.can_sort:
        pytest.skip("this store cannot sort")  # skip-outside-quarantine
    assert store.sorted([2, 1]) == [1, 2]
    assert store.sorted([]) == []


def test_other():
    store = Store()
    if not store.can_sort:
        pytest.skip("this store cannot sort")  # skip-outside-quarantine
    assert store.sorted([2, 1]) == [1, 2]
