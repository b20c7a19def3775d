from shop.core import total as add_up

def test_total():
    assert add_up([1, 2]) == 3
