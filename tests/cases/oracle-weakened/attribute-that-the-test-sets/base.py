from shop.core import Shape


def test_shape():
    shape = Shape()
    assert shape.sides == 4
