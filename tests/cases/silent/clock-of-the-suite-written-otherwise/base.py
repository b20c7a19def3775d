from helpers import FakeClock
from shop.core import Timer


def test_spent():
    clock = FakeClock()
    timer = Timer(clock)
    clock.advance(0.5)
    assert timer.spent() == 0.5
