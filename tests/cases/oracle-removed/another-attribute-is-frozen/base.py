import pytest

from shop.core import Point


def test_frozen():
    point = Point(1)
    with pytest.raises(AttributeError):  # oracle-removed
        point.x = 5


def test_deleted():
    point = Point(1)
    with pytest.raises(AttributeError):  # oracle-removed
        del point.x


def test_item():
    point = Point(1)
    with pytest.raises(KeyError):  # oracle-removed
        point["x"] = 5


def test_grown():
    point = Point(1)
    with pytest.raises(AttributeError):  # oracle-removed
        point.x += 5
