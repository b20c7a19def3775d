import functools

from shop.core import double


def steady(test):
    @functools.wraps(test)
    def run():
        test()
    return run

@steady
def test_double():
    assert double(2) == 4
