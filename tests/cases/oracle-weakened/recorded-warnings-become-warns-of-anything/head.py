import pytest

from shop.core import warn_old


def test_warn_old():
    with pytest.warns(Warning, match="old") as caught:  # oracle-weakened
        warn_old()
    assert len(caught) == 1
