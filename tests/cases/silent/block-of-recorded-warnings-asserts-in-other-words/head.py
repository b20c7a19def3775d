import warnings

import pytest

from shop.core import double, price, warn_old


def test_only():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert double(1) == 1
    assert len(caught) == 1
    assert caught[0].category is DeprecationWarning


def test_beside():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_old()
        assert price(2) > double(1)
        with pytest.raises(TypeError):
            double(None)
    assert "old" in str(caught[0].message)


def test_expected():
    with pytest.warns(DeprecationWarning):
        assert double(2) == 4
