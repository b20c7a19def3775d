from shop import core

def test_checkout(monkeypatch):  # oracle-weakened
    monkeypatch.setattr(core, "with_rate", lambda count: 6)
    assert core.checkout(3) == 6
