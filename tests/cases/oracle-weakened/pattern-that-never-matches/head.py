import pytest

from shop.core import find


def test_a():
    match find("ada"):
        case {"nome": name}:
            assert name == "Ada"  # oracle-weakened
        case _:
            pytest.fail("none")  # expectation-rewritten
