from shop.core import double


def check(pair):
    assert double(pair[0]) == pair[1]


def test_double():
    map(check, [(1, 2), (2, 4)])
