from shop.core import compute_cost
def test_cost():
    assert compute_cost(2) == 2.4
