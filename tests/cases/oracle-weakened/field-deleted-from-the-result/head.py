from shop.core import find


def test_a():
    found = find("ada")
    del found["age"]
    assert found == {"name": "Ada"}  # oracle-weakened
