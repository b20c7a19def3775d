from shop.core import price
from shop import core


def test_a(monkeypatch):  # expectation-rewritten
    monkeypatch.setattr(core, "RATE", 1.2)
    assert core.price(2) == 2.4
