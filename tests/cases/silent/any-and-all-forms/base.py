from shop.core import names


def test_names():
    assert all(name.islower() for name in names())
    assert any(name == "ada" for name in names())
