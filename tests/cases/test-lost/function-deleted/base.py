from shop.core import double, total


def test_total():
    assert total([1, 2]) == 3

def test_double():
    assert double(1) == 2  # test-lost
    assert double(2) == 4  # test-lost
