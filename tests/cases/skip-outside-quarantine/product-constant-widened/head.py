import pytest

from shop.core import DESKTOP, LATE, NARROW, WIN, double


@pytest.mark.skipif(WIN, reason="not there")  # skip-outside-quarantine
def test_double():
    assert double(2) == 4


@pytest.mark.skipif(DESKTOP, reason="not there")  # skip-outside-quarantine
def test_double_of_desktop():
    assert double(3) == 6


@pytest.mark.skipif(NARROW, reason="not there")  # skip-outside-quarantine
def test_double_of_late():
    assert double(4) == 8


@pytest.mark.skipif(LATE, reason="not there")  # skip-outside-quarantine
def test_double_turned_round():
    assert double(5) == 10
