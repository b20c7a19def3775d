import warnings

import pytest

from shop.core import double


def test_old():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        double(2)
    assert len(caught) == 1
    assert caught[0].category is DeprecationWarning
