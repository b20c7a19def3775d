from shop.core import *
from shop import core
def test_p(monkeypatch):  # oracle-removed
    def refuse(*a):
        raise AssertionError('must not be called')
    monkeypatch.setattr(core, 'send', refuse)
    assert core.price(1) == 1.2
