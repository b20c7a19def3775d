import pytest

from shop.core import double, warn_old


def test_one():
    with pytest.warns(DeprecationWarning):
        warn_old()


def test_other():
    with pytest.deprecated_call():
        double(1)
