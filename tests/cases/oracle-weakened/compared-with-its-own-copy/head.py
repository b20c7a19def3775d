from copy import deepcopy

from shop.core import find
from shop.extra import Point, move


def test_find():
    found = find("ada")
    assert found == deepcopy(found)  # oracle-weakened


def test_move():
    moved = move(Point(1, 2))
    assert moved.x == vars(moved)["x"]  # oracle-weakened
