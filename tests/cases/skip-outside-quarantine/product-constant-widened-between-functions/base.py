import pytest

from shop.core import WIN, double


@pytest.mark.skipif(WIN, reason="not there")  # skip-outside-quarantine
def test_double():
    assert double(2) == 4


def test_double_again():
    assert double(3) == 6
