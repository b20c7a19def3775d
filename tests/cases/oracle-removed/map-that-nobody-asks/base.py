from shop.core import double


def check(pair):
    assert double(pair[0]) == pair[1]  # oracle-removed


def test_double():
    list(map(check, [(1, 2), (2, 4)]))
