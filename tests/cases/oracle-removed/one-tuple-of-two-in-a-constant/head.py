from shop.core import find


SHA = "s"

def test_find():
    found = find("ada")
    assert (found.changes[0].tree, found.changes[0].digest) == ("t", SHA)
