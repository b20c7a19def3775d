from syrupy.filters import props

from shop.core import find


def test_find(snapshot):
    assert find("ada") == snapshot(exclude=props("age"))  # oracle-weakened
