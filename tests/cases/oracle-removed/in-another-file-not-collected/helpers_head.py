from shop.core import total


def test_total_of_nothing():
    assert total([]) == 0
