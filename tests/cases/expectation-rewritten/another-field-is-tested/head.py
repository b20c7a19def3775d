from shop.core import find


def test_find():
    found = find("ada")
    assert found["years"] == 36  # expectation-rewritten
