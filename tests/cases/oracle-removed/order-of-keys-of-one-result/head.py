from shop.core import find


def test_find():
    after = find("ada")
    assert list(after) == [key for key in after if key in ("name", "age")]
