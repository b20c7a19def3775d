from shop.core import total


WANTED = 3

def test_total():
    assert total([1, 2]) == WANTED
