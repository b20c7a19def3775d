from unittest import mock

from shop.core import double, names


def test_0(monkeypatch):
    shop = names()
    setattr(shop, "size", 5)
    assert shop.size == 5


def test_1(monkeypatch):
    shop = names()
    monkeypatch.setattr(shop, "size", 5)
    assert shop.size == 5


def test_2(monkeypatch):
    shop = names()
    shop.__setitem__("size", 5)
    assert shop["size"] == 5


def test_3(monkeypatch):
    shop = names()
    dict.update(shop, size=5)
    assert shop == {"size": 5}


def test_4(monkeypatch):
    shop = names()
    shop.size = 5
    assert shop.size == 5


def test_5(monkeypatch):
    shop = names()
    setattr(shop, "unit", 5)
    assert shop.total() == 9


def test_kept():
    kept = {}
    kept["a"] = 0
    kept["a"] = double(2)
    kept["b"] = 0
    assert kept["a"] == 4


def test_quiet():
    shop = names()
    with mock.patch.object(shop, "speak", None):
        assert shop.total() == 9
