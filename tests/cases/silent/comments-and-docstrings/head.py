from shop.core import total


"""Sums."""


def test_total():
    """
    The items are summed.
    """
    # assert nothing less
    assert total([1, 2]) == 3  # not 4
