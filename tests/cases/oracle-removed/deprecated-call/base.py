import pytest

from shop.core import double, warn_old


def test_old():
    assert double(2) == 4
    with pytest.deprecated_call():  # oracle-removed
        warn_old()
