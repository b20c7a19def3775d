import pytest

from shop.core import Client


def test_get():
    assert Client().get("/a") == "/a"


def test_wrong_path():
    with pytest.raises(ValueError):
        Client().get("a")
