from shop.core import total
from helpers import timed


@timed
def test_a():
    assert total([1]) == 1  # errors-swallowed
