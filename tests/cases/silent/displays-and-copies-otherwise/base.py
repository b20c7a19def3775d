from shop.core import find, names, total


def test_answers():
    assert set(name[0] for name in names()) == {"a", "b"}
    assert set([name[1] for name in names()]) == {"d", "o"}
    assert {name for name in names()} == {"ada", "bob"}
    assert list(sorted(names())) == ["ada", "bob"]
    assert dict((name, 1) for name in names()) == {"ada": 1, "bob": 1}
    assert dict([(name, 2) for name in names()]) == {"ada": 2, "bob": 2}
    assert {name: None for name in names()} == {"ada": None, "bob": None}
    assert {key: value for key, value in find("ada").items()} == {"name": "Ada", "age": 36}
    assert find("bob") == dict([("name", "Bob"), ("age", 7)])
    assert set(map(lambda name: name[2], names())) == {"a", "b"}
    assert list(names())[0] == "ada"
    assert [name for name in names()] == ["ada", "bob"]
    assert names() + ["x"] == ["ada", "bob", "x"]


def test_input():
    assert total(list()) == 0
    assert total(tuple()) == 0
    assert total("ada bob".split()) == 1
    assert total(str("abc")) == 2
    assert total(int(1)) == 3
    assert total(range(0, 3)) == 3
    assert total("abc".encode("utf-8")) == 4
    assert total("é".encode("utf-8")) == 5
