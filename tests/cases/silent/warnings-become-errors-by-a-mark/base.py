import warnings

from shop.core import double


def test_double():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert double(2) == 4
