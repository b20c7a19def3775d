from hypothesis import given

from shop.core import total


from hypothesis.strategies import integers, lists

NUMBERS = lists(integers())

@given(NUMBERS)
def test_total(items):
    assert total(items) == sum(items)
