from shop.core import names


def test_names():
    found = names()
    assert len(found) == 2
    assert found[0] == "ada"
