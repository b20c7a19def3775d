import pytest

from shop import core


def test_send(monkeypatch):
    def refuse(*args):
        raise AssertionError("not here")

    monkeypatch.setattr(core, "send", refuse)
    assert core.price(1) == 1.2
