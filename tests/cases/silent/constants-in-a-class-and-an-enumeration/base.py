from shop.core import double, find, price


def test_all():
    assert find("ada")["name"] == "Ada"
    assert price(10) == 12.0
    assert double(202) == 404
