from shop.core import total


def test_total():
    wanted = 4
    assert total([1, 2]) == wanted  # expectation-rewritten
