from shop.core import double


@property
def test_double():
    assert double(2) == 4
