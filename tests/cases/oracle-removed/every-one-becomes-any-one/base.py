from shop.core import names


def test_names():
    assert all(names())  # oracle-removed
