from shop.core import cost
def test_cost():
    assert cost(2) == 2.4
