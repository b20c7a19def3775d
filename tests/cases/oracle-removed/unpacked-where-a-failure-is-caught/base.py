from shop.core import names


def test_names():
    found = names()
    assert len(found) == 2  # oracle-removed
    assert names()[0] == "ada"
