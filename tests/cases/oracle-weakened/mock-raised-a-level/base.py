from shop import core

def test_checkout(monkeypatch):
    monkeypatch.setattr(core, "rate_of", lambda: 2)
    assert core.checkout(3) == 6
