from shop.core import find

WANTED = object()

def test_same():
    found = find("a")
    assert found.first is WANTED
    assert found.second is WANTED  # oracle-removed
