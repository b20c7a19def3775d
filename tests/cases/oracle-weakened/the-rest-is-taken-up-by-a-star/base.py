from shop.core import find, names


def test_names():
    first, second = names()
    assert first == "ada"
    assert second == "bob"


def test_only():
    (only,) = [name for name in find("ada") if name == "name"]
    assert only == "name"
