import operator
from unittest import mock

from shop.core import names


def test_attribute_setattr():
    shop = names()
    assert shop.size == 5


def test_attribute_object():
    shop = names()
    assert shop.size == 5


def test_attribute_dunder():
    shop = names()
    assert shop.size == 5


def test_attribute_dictionary():
    shop = names()
    assert shop.size == 5


def test_attribute_dictionary_update():
    shop = names()
    assert shop.size == 5


def test_attribute_variables():
    shop = names()
    assert shop.size == 5


def test_attribute_several():
    shop = names()
    assert shop.size == 5


def test_attribute_monkeypatch(monkeypatch):
    shop = names()
    assert shop.size == 5


def test_attribute_started():
    shop = names()
    assert shop.size == 5


def test_item_dunder():
    rows = names()
    assert rows["size"] == 5


def test_item_unbound():
    rows = names()
    assert rows["size"] == 5


def test_item_several():
    rows = names()
    assert rows["size"] == 5


def test_item_operator():
    rows = names()
    assert rows["size"] == 5


def test_item_patched():
    rows = names()
    assert rows["size"] == 5


def test_kept():
    kept = {}
    kept["a"] = names()
    assert kept["a"] == 5
