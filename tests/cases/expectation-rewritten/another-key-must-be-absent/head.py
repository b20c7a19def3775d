from shop.core import find


def test_secret():
    assert "secrets" not in find("ada")  # expectation-rewritten
