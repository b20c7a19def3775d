from shop.core import find
from shop.extra import Point, move


def test_find():
    assert find("ada") == {"name": "Ada", "age": 36}


def test_move():
    assert move(Point(1, 2)).x == 2
