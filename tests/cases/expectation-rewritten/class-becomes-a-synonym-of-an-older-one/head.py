import pytest

from shop.core import SlowClient


def test_get():
    assert SlowClient().get("/a") == "/a"  # expectation-rewritten


def test_wrong_path():
    with pytest.raises(ValueError):  # expectation-rewritten
        SlowClient().get("a")
