from shop.core import find


import datetime as dt

def test_find():
    found = find("ada")
    assert (found.tree, found.digest) == ("t", "s")
    assert (3, dt.date(2030, 1, 2)) == (found.line, found.expires)  # oracle-removed
