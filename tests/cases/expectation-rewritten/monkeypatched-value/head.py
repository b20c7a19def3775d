from shop import core

def test_clock(monkeypatch):  # expectation-rewritten
    monkeypatch.setenv("SHOP_HOUR", "11")
    assert core.clock() == 12
