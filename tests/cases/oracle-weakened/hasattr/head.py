from shop.core import Shape


def test_find():
    assert hasattr(Shape(), "sides")
