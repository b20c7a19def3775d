from shop.core import total


SUM = 3

def test_total():
    assert total([1, 2]) == SUM
