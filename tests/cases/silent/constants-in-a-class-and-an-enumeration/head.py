from enum import IntEnum
from http import HTTPStatus

from shop.core import double, find, price


class Ada:
    NAME = "Ada"


class Number(IntEnum):
    TEN = 10


def test_all():
    assert find("ada")["name"] == Ada.NAME
    assert price(Number.TEN) == 12.0
    assert double(202) == HTTPStatus.NOT_FOUND
