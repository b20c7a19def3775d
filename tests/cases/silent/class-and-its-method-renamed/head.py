from shop.core import Point


def test_distance():
    point = Point(1, 2)
    assert point.distance(Point(3, 4)) == 4
    assert not point.is_near(Point(3, 4))
    assert isinstance(point, Point)
