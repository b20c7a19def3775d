import sys

import pytest

from shop.core import double, total


@pytest.mark.xfail(sys.implementation.name == "pypy", reason="slow there")
def test_total():
    assert total([1, 2]) == 3


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="not there")
def test_double():
    assert double(2) == 4
