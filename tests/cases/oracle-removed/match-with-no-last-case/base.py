from shop.core import find


def test_find():
    found = find("ada")
    assert found["name"] == "Ada"  # oracle-removed
    assert found["age"] == 36  # oracle-removed
