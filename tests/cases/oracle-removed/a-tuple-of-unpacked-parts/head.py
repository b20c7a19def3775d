from shop.core import find


def test_find():
    found = find("ada")
    assert (found.tree, found.digest) == ("t", "s")
    (one,) = found.properties
