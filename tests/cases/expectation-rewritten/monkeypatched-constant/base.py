from shop.core import price
from shop import core


def test_a(monkeypatch):
    monkeypatch.setattr(core, "RATE", 3)
    assert core.price(2) == 2.4
