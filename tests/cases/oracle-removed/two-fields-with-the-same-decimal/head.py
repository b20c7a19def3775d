from shop.core import find


from decimal import Decimal

def test_find():
    found = find("ada")
    assert found["net"] == Decimal("1.5")
