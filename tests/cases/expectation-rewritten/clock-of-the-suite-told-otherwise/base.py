from helpers import FakeClock
from shop.core import Timer


def test_backwards():
    clock = FakeClock()
    timer = Timer(clock)
    clock.advance(-5)
    assert timer.spent() <= 5


def test_now():
    clock = FakeClock()
    timer = Timer(clock)
    clock.now = 7
    assert timer.spent() >= 7
