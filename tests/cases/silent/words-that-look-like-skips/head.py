import pytest

from shop.core import double, total


def test_total():
    """Formerly pytest.skip("flaky") and xfail."""
    # pytest.mark.skip was here
    assert total([1, 2]) == 3

def test_skip_and_xfail_are_names():
    skip = "xfail"
    assert double(len(skip)) == 10
