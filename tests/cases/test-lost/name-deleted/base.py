from shop.core import double, total


def test_total():
    assert total([1, 2]) == 3  # test-lost

def test_double():
    assert double(1) == 2
