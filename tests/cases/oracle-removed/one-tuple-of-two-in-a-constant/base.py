from shop.core import find


SHA = "s"

def test_find():
    found = find("ada")
    assert (found.changes[0].tree, found.changes[0].digest) == ("t", SHA)
    assert (3, 12) == (found.properties[0].line, found.freezes[0].line - 1)  # oracle-removed
