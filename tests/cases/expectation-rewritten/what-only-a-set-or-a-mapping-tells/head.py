from shop.core import find, names, parse


def test_questions():
    assert parse("1") in (1, 2)  # expectation-rewritten
    assert "name" in find("ada")  # expectation-rewritten
    assert names()[0] in "ab"  # expectation-rewritten
