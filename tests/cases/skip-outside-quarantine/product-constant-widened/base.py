import os

import pytest

from shop.core import LATE, WIN, double


@pytest.mark.skipif(WIN, reason="not there")
def test_double():
    assert double(2) == 4


@pytest.mark.skipif(os.name == "nt", reason="not there")
def test_double_of_desktop():
    assert double(3) == 6


@pytest.mark.skipif(LATE, reason="not there")
def test_double_of_late():
    assert double(4) == 8


@pytest.mark.skipif(not LATE, reason="not there")
def test_double_turned_round():
    assert double(5) == 10
