from shop.core import M
def test_total():
    assert M(2).get_total() == 4
