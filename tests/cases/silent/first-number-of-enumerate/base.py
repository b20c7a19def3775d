from shop.core import double


def test_double():
    assert double(1) == 2
    assert double(2) == 4
