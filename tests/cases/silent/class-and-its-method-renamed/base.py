from shop.core import GeoPoint


def test_distance():
    point = GeoPoint(1, 2)
    assert point.distance_to(GeoPoint(3, 4)) == 4
    assert not point.is_near(GeoPoint(3, 4))
    assert isinstance(point, GeoPoint)
