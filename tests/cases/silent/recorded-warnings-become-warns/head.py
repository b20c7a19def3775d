import pytest

from shop.core import double


def test_old():
    with pytest.warns(DeprecationWarning) as caught:
        double(2)
    assert len(caught) == 1
