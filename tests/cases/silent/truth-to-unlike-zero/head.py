from shop.core import double


def test_double():
    assert double(2) != 0
