from shop.core import double, total


def test_total():  # test-lost
    total([1, 2])

def test_double():
    assert double(1) == 2
