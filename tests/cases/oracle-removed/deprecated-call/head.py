from shop.core import double


def test_old():
    assert double(2) == 4
