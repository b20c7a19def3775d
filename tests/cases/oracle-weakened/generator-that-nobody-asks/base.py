from shop.core import double


def check(number, expected):
    assert double(number) == expected


def test_double():
    for number, expected in [(1, 2), (2, 4)]:
        check(number, expected)
