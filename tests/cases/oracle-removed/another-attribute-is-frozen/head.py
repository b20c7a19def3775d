import pytest


def test_frozen():
    with pytest.raises(AttributeError):
        object().x = 5


def test_deleted():
    with pytest.raises(AttributeError):
        del object().y


def test_item():
    with pytest.raises(KeyError):
        Missing()["x"] = 5


def test_grown():
    with pytest.raises(AttributeError):
        object().y += 5


class Missing(dict):
    def __setitem__(self, key, value):
        raise KeyError(key)
