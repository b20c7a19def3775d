from shop.core import names, price


def test_names():
    assert names() == ["ada", "bob"]


def test_price():
    assert price(1, 2) == 2  # test-lost


def test_price_runs():  # test-lost
    price(1, 2)
