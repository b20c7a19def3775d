from shop.core import commands, create, update


def test_update():
    key = create("ada")["rows"][0]["id"]
    row = update(key, "bob")["rows"][0]
    assert row["id"] == key
    for name, value in {"name": "bob"}.items():
        assert row[name] == value


def test_commands():
    assert commands()[0][0] == ["pip", "install", "cowsay"]
