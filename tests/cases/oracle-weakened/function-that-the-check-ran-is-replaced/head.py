from shop import core


def test_charge(monkeypatch):
    monkeypatch.setattr("shop.core.rate", lambda count: 6 / count)  # oracle-weakened
    assert core.charge(2) == 6
