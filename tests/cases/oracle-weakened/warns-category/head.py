import pytest

from shop.core import warn_old


def test_old():
    with pytest.warns(Warning, match="old name"):  # oracle-weakened
        warn_old()
