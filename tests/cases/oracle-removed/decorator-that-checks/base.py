import functools

from shop.core import clock, double


def steady(test):
    @functools.wraps(test)
    def run():
        test()
        assert clock() == 12  # oracle-removed
    return run

@steady
def test_double():
    assert double(2) == 4
