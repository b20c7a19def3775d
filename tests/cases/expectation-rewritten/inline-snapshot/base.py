from shop.core import find


from inline_snapshot import snapshot

def test_find():
    assert find("ada") == snapshot({"name": "Ada", "age": 36})
