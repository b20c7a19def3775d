from shop.core import Shape


def test_sides():
    assert Shape().area(2, 2) == 4
