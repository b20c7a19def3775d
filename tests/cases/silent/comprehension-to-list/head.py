from shop.core import double


def test_double():
    assert list(map(double, (1, 2))) == [2, 4]
