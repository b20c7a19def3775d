from shop.core import double


def test_env(monkeypatch):
    monkeypatch.setenv("SHOP", "1")
    double(2)
