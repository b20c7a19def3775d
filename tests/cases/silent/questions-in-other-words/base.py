from shop.core import Cart, find, names, parse


def test_questions():
    assert parse("1") == 1 or parse("1") == 2
    assert parse("2") in (1, 2)
    assert parse("3") in [1, 3]
    assert names()[0].startswith("a") or names()[0].startswith("b")
    assert isinstance(names(), (list, tuple))
    assert isinstance(find("x"), (dict, type(None)))
    assert isinstance(Cart(), Cart) == True
    assert all(name for name in names())
    assert bool(Cart().items) is False
    assert len(Cart().names) > 0
    assert "name" in find("ada")
    assert sorted(find("bob")) == ["age", "name"]


def test_one_of_several_becomes_one():
    assert parse("1") == 1 or parse("1") == 2
    assert names()[0].startswith(("a", "b"))
