from shop.core import find


def test_find():
    found = find("ada")
    found.pop("age")
    assert found == {"name": "Ada"}  # oracle-weakened
