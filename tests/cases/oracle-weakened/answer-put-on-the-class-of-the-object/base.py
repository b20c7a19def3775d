from shop.core import Shape


def test_sides():
    shape = Shape()
    assert shape.sides == 4
