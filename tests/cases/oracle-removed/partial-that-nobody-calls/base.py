from shop.core import double


def check(number, expected):
    assert double(number) == expected  # oracle-removed


def test_double():
    check(2, 4)
