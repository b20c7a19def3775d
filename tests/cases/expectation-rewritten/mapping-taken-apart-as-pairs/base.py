from shop.core import find


def test_pairs():
    assert {key: value for key, value in find("ada")} == {"n": "a"}
