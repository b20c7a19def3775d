from shop.core import clock


from shop import core

def test_total(monkeypatch):
    monkeypatch.setattr(core, "clock", lambda: 5)
    assert core.total([1, 2]) == 3
