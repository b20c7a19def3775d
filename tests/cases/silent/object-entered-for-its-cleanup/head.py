from shop.core import Client


def test_get():
    with Client("a") as client:
        first = client.get("/one")
        second = client.get("/two")
    assert second["history"] == [first["path"], second["path"]]
