import pytest

from shop.core import find


def test_find():
    match find("ada"):
        case {"name": "Ada", "age": _}:
            pass
        case other:
            pytest.fail(f"unexpected: {other}")
