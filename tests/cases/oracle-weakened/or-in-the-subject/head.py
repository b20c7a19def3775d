from shop.core import total


def test_total():
    assert (total([1, 2]) or 3) == 3  # oracle-weakened
