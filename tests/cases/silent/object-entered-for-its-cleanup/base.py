from shop.core import Client


def test_get():
    client = Client("a")
    first = client.get("/one")
    second = client.get("/two")
    assert second["history"] == [first["path"], second["path"]]
