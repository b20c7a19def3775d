from shop.core import Cart, find, names, parse


def test_questions():
    assert parse("1") in (1, 2)
    assert parse("2") in {1, 2}
    assert parse("3") in (1, 3)
    assert names()[0].startswith(("a", "b"))
    assert isinstance(names(), list | tuple)
    assert isinstance(find("x"), dict | None)
    assert isinstance(Cart(), Cart)
    assert all(names())
    assert not Cart().items
    assert len(Cart().names) >= 1
    assert "name" in find("ada").keys()
    assert sorted(find("bob").keys()) == ["age", "name"]


def test_one_of_several_becomes_one():
    assert parse("1") == 1
    assert names()[0].startswith("a")
