import pytest

from shop.core import double, warn_old


def test_one():
    with pytest.deprecated_call():  # oracle-weakened
        warn_old()


def test_other():
    with pytest.warns(UserWarning):  # expectation-rewritten
        double(1)
