from shop.core import find


def test_pairs():
    assert dict(find("ada")) == {"n": "a"}  # expectation-rewritten
