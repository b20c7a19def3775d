from shop.core import find


def test_find():
    match find("ada"):
        case {"name": "Ada", "age": 36}:
            pass
