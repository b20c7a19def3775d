from shop import core

def test_clock(monkeypatch):
    monkeypatch.setenv("SHOP_HOUR", "12")
    assert core.clock() == 12
