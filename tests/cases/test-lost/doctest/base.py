from shop.core import double, total


def helper():
    """
    >>> helper()
    3
    """
    return total([1, 2])

def test_double():
    assert double(1) == 2
