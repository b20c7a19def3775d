from shop.core import names


def test_names():
    assert names()[:1] == ["ada"]  # oracle-weakened
