from shop.core import names


def test_names():
    found = names()
    assert all(name.islower() for name in found)
    assert any(one == "ada" for one in found)
