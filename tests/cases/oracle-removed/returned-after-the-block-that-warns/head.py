import pytest

from shop.core import double, warn_old


def quiet(number):
    with pytest.deprecated_call():
        warn_old()
    return double(number)


def test_old():
    assert quiet(1) == 2
