from shop.core import last


def test_last():
    assert last([2]) == 2
