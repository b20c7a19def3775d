from shop.core import names


def test_names():
    assert sorted(names()) == sorted(["bob", "ada"])  # oracle-weakened
