import platform

import pytest

from shop.core import PY310, double


@pytest.mark.skipif(not PY310, reason="3.10 and later")
def test_double():
    assert double(2) == 4


@pytest.mark.skipif(PY310, reason="before 3.10")
def test_double_of_old():
    assert double(3) == 6


@pytest.mark.skipif(platform.system() == "Windows", reason="no sed there")
def test_double_again():
    assert double(4) == 8
