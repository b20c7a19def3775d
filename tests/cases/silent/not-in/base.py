from shop.core import names


def test_names():
    assert not "eve" in names()
