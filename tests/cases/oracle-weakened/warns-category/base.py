import pytest

from shop.core import warn_old


def test_old():
    with pytest.warns(DeprecationWarning, match="old name"):
        warn_old()
