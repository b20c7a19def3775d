from shop.core import total


PAIR = [1, 2]
SUM = 3

def test_total():
    assert total(PAIR) == SUM
    assert total([*PAIR, 3]) == 6
