from shop.core import total


def test_total():
    assert total([3]) == 3  # expectation-rewritten
