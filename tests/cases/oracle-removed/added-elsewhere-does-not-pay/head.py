from shop.core import double, total


def test_total():
    assert total([1, 2]) == 3

def test_double():
    assert double(1) == 2
    assert double(2) == 4
    assert double(3) == 6
