from shop.core import find


def test_find():
    found = find("ada")
    found.update(age=36)
    assert found == {"name": "Ada", "age": 36}  # oracle-weakened
