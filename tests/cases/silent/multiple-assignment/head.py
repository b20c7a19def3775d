from shop.core import double


def test_two():
    first, second = double(1), double(2)
    assert (first, second) == (2, 4)
