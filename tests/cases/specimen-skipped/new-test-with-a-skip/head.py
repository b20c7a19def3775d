import pytest

from shop.core import double, total


def test_total():
    assert total([1, 2]) == 3

@pytest.mark.skip(reason="later")  # specimen-skipped
def test_double():
    assert double(1) == 2
