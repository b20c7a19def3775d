from shop.core import find


def test_find():
    before, after = (find(key) for key in ("ada", "bob"))
    assert list(before) == [key for key in after if key in before]
