import pytest

from shop.core import double, warn_old


def quiet(number):
    with pytest.deprecated_call():  # oracle-removed
        result = double(number)
    return result


def test_old():
    assert quiet(1) == 2
