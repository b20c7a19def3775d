import time

from shop.core import total


def test_is_fast():
    start = time.perf_counter()
    total(range(1000))
    assert time.perf_counter() - start < 0.5
