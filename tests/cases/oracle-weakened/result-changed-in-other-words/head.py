import operator
from unittest import mock

from shop.core import names


def test_attribute_setattr():
    shop = names()
    setattr(shop, "size", 5)
    assert shop.size == 5  # oracle-weakened


def test_attribute_object():
    shop = names()
    object.__setattr__(shop, "size", 5)
    assert shop.size == 5  # oracle-weakened


def test_attribute_dunder():
    shop = names()
    shop.__setattr__("size", 5)
    assert shop.size == 5  # oracle-weakened


def test_attribute_dictionary():
    shop = names()
    shop.__dict__["size"] = 5
    assert shop.size == 5  # oracle-weakened


def test_attribute_dictionary_update():
    shop = names()
    shop.__dict__.update(size=5)
    assert shop.size == 5  # oracle-weakened


def test_attribute_variables():
    shop = names()
    vars(shop)["size"] = 5
    assert shop.size == 5  # oracle-weakened


def test_attribute_several():
    shop = names()
    shop.size, _ = 5, 0
    assert shop.size == 5  # oracle-weakened


def test_attribute_monkeypatch(monkeypatch):
    shop = names()
    monkeypatch.setattr(shop, "size", 5)
    assert shop.size == 5  # oracle-weakened


def test_attribute_started():
    shop = names()
    mock.patch.object(shop, "size", 5).start()
    assert shop.size == 5  # oracle-weakened


def test_item_dunder():
    rows = names()
    rows.__setitem__("size", 5)
    assert rows["size"] == 5  # oracle-weakened


def test_item_unbound():
    rows = names()
    dict.update(rows, size=5)
    assert rows["size"] == 5  # oracle-weakened


def test_item_several():
    rows = names()
    rows["size"], _ = 5, 0
    assert rows["size"] == 5  # oracle-weakened


def test_item_operator():
    rows = names()
    operator.setitem(rows, "size", 5)
    assert rows["size"] == 5  # oracle-weakened


def test_item_patched():
    rows = names()
    mock.patch.dict(rows, {"size": 5}).start()
    assert rows["size"] == 5  # oracle-weakened


def test_kept():
    kept = {}
    kept["a"] = names()
    kept["a"] = 5
    assert kept["a"] == 5  # oracle-weakened
