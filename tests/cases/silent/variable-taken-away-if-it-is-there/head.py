from shop.core import mode


def test_default(monkeypatch):
    monkeypatch.delenv("SHOP_MODE", raising=False)
    assert mode() == "prod"
