from shop.core import names


def test_names():
    wanted = names()
    wanted[0] = "ada"
    assert names() == wanted  # oracle-weakened
