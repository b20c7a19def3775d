from shop.core import find


def test_find():
    assert not find("bob")  # oracle-weakened
