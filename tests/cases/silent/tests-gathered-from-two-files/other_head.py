from shop.core import total


def test_nothing_left():
    assert total([]) == 0
