from shop import core

core.RATE = 1.3


def test_rate():
    assert core.RATE == 1.3
