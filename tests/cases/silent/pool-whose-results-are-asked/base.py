from shop.core import double


def check(number, expected):
    assert double(number) == expected


def test_double():
    check(1, 2)
    check(2, 4)
