from shop.core import find


def test_find():
    found = {key: value for key, value in find("ada").items() if key != "age"}
    assert found == {"name": "Ada"}  # oracle-weakened
