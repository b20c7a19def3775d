from shop.core import find


def test_name():
    assert find("ada")["name"].lower() == "ada"  # oracle-weakened
