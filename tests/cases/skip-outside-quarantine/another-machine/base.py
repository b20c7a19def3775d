import os
import platform

import pytest

from shop.core import double, total


@pytest.mark.xfail(platform.python_implementation() == "PyPy", reason="slow there")
def test_total():
    assert total([1, 2]) == 3


@pytest.mark.skipif(os.name == "nt", reason="not there")
def test_double():
    assert double(2) == 4
