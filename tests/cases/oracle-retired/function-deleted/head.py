from shop.core import double


def test_double():
    from shop.core import double
    assert double(2) == 4
