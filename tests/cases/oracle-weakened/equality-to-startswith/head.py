from shop.core import find


def test_name():
    assert find("ada")["name"].startswith("A")  # oracle-weakened
