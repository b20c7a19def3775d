from shop.core import double


def test_half():
    from shop.core import half
    assert half(4) == 2  # oracle-retired

def test_double():
    from shop.core import double
    assert double(2) == 4
