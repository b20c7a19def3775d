from shop.core import find


def test_find():
    assert set(find("ada")) >= {"name"}  # oracle-weakened
