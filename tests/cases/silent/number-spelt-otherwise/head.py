from shop.core import price, total


def test_total():
    assert total([1_000, 2_000]) == 3_000
    assert price(10) == 1.2e1
