import pytest

from shop.core import find


def test_a():
    match find("ada"):
        case {"name": name}:
            assert name == "Ada"  # oracle-weakened
        case _:
            pytest.fail("none")
