from shop.core import double, warn_old


def test_old():
    assert double(2) == 4
    warn_old()
