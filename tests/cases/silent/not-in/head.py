from shop.core import names


def test_names():
    assert "eve" not in names()
