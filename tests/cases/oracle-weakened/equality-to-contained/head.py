from shop.core import names


def test_names():
    assert "ada" in names()  # oracle-weakened
