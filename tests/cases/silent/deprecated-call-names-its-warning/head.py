import pytest

from shop.core import double, warn_old


def test_one():
    with pytest.warns(DeprecationWarning, match="^old name$"):
        warn_old()


def test_all():
    with pytest.warns((DeprecationWarning, PendingDeprecationWarning, FutureWarning)):
        double(1)
    with pytest.deprecated_call():
        double(2)
