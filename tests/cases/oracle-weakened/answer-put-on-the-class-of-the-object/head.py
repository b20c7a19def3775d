from shop.core import Shape


def test_sides():
    shape = Shape()
    shape.__class__.sides = 4
    assert shape.sides == 4  # oracle-weakened
