import pytest

from shop.core import double, warn_old


def test_old():
    assert double(2) == 4
    with pytest.warns(DeprecationWarning):  # oracle-removed
        warn_old()
