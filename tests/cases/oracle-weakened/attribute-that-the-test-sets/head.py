from shop.core import Shape


def test_shape():
    shape = Shape()
    shape.sides = 4
    assert shape.sides == 4  # oracle-weakened
