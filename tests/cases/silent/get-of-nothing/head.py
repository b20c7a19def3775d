from shop.core import find


def test_a():
    assert (find("ada") or {}).get("age") == 36
