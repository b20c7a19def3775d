from shop.core import double


def check(number, expected):
    assert double(number) == expected


def test_double():
    results = (check(number, expected) for number, expected in [(1, 2), (2, 4)])
    assert results is not None  # oracle-weakened
