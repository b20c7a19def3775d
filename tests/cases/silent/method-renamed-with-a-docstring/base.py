from shop.core import M
def test_total():
    assert M(2).getTotal() == 4
