from shop.core import find


import datetime as dt

def test_find():
    found = find("ada")
    assert (found.tree, found.digest) == ("t", "s")
