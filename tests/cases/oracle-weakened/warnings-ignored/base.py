import warnings

from shop.core import double


def test_old():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        double(2)
    assert double(2) == 4
