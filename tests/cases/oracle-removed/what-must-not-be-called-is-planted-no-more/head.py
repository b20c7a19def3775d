from shop.core import *
from shop import core
def test_p(monkeypatch):
    def refuse(*a):
        raise AssertionError('must not be called')
    assert core.price(1) == 1.2
