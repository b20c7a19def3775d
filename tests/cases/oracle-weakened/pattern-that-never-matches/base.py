import pytest

from shop.core import find


def test_a():
    match find("ada"):
        case {"name": name, "age": 36}:
            assert name == "Ada"
        case _:
            pytest.fail("none")  # oracle-removed
