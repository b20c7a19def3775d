from shop.core import names


def test_names():
    assert all(name in ("ada", "bob") for name in names())
