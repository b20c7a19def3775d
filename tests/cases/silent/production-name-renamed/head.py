from shop.core import twice

def test_twice():
    assert twice(1) == 2
