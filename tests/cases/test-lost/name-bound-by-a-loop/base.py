from shop.core import double, total


def test_a():
    assert total([1]) == 1  # test-lost

def test_b():
    assert double(1) == 2
