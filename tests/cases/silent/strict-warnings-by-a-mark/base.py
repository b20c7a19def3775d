import warnings

import pytest

from shop.core import double


def test_quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert double(2) == 4
