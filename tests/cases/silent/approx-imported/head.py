from shop.core import price


from pytest import approx

def test_price():
    assert approx(12.0) == price(10)
