import pytest

from shop.core import double, warn_old


def test_one():
    with pytest.deprecated_call():
        warn_old()


def test_all():
    with pytest.deprecated_call():
        double(1)
    with pytest.warns((DeprecationWarning, PendingDeprecationWarning, FutureWarning)):
        double(2)
