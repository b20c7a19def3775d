from shop.core import find, names


def test_names():  # oracle-weakened
    first, second, *_ = names()
    assert first == "ada"
    assert second == "bob"


def test_only():  # oracle-weakened
    only, *_ = [name for name in find("ada") if name == "name"]
    assert only == "name"
