import pytest

from shop.core import find, names


def test_find():
    match find("ada"):
        case {"name": "Ada", "age": 36}:
            pass
        case other:
            pytest.fail(f"unexpected: {other}")


def test_names():
    match names():
        case ["ada", "bob"]:
            right = True
        case _:
            right = False
    assert right
