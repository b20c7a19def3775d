import os

from shop.core import double


def test_env(monkeypatch):
    monkeypatch.setenv("SHOP", "1")
    double(2)
    assert os.environ["SHOP"] == "1"  # oracle-removed
