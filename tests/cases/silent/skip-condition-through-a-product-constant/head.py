import pytest

from shop.core import PY_3_10_PLUS, WIN, double


@pytest.mark.skipif(not PY_3_10_PLUS, reason="3.10 and later")
def test_double():
    assert double(2) == 4


@pytest.mark.skipif(PY_3_10_PLUS, reason="before 3.10")
def test_double_of_old():
    assert double(3) == 6


@pytest.mark.skipif(WIN, reason="no sed there")
def test_double_again():
    assert double(4) == 8
