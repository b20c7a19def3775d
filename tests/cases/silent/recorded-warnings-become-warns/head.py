import pytest

from shop.core import warn_old


def test_warn_old():
    with pytest.warns(DeprecationWarning, match="old name") as caught:
        warn_old()
    assert len(caught) == 1


def test_inside():
    with pytest.warns(DeprecationWarning) as caught:
        warn_old()
    assert len(caught) == 1
