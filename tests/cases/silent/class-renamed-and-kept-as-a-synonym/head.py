import pytest

from shop.core import SlowClient


def test_get():
    assert SlowClient().get("/a") == "/a"


def test_wrong_path():
    with pytest.raises(ValueError):
        SlowClient().get("a")
