from shop.core import find


def test_find():
    assert "36" in str(find("ada"))  # oracle-weakened
