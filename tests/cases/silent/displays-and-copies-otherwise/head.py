from shop.core import find, names, total


def test_answers():
    assert {name[0] for name in names()} == {"a", "b"}
    assert {name[1] for name in names()} == {"d", "o"}
    assert set(names()) == {"ada", "bob"}
    assert sorted(names()) == ["ada", "bob"]
    assert {name: 1 for name in names()} == {"ada": 1, "bob": 1}
    assert {name: 2 for name in names()} == {"ada": 2, "bob": 2}
    assert dict.fromkeys(names()) == {"ada": None, "bob": None}
    assert dict(find("ada").items()) == {"name": "Ada", "age": 36}
    assert find("bob") == {"name": "Bob", "age": 7}
    assert {name[2] for name in names()} == {"a", "b"}
    assert next(iter(names())) == "ada"
    assert [*names()] == ["ada", "bob"]
    assert [*names(), "x"] == ["ada", "bob", "x"]


def test_input():
    assert total([]) == 0
    assert total(()) == 0
    assert total(["ada", "bob"]) == 1
    assert total("abc") == 2
    assert total(1) == 3
    assert total(range(3)) == 3
    assert total(b"abc") == 4
    assert total("é".encode()) == 5
