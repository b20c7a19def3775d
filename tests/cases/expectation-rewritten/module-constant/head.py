from shop.core import total


WANTED = 4

def test_total():
    assert total([1, 2]) == WANTED  # expectation-rewritten
