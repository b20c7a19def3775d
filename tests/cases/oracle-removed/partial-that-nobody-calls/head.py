from functools import partial

from shop.core import double


def check(number, expected):
    assert double(number) == expected


def test_double():
    partial(check, 2, 4)
