from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int


def move(point):
    return Point(point.x + 1, point.y)
