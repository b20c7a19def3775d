from shop.core import *
from shop import core
import pytest
@pytest.fixture
def no_net(monkeypatch):
    def refuse(*a):
        raise AssertionError('net')
    monkeypatch.setattr('socket.socket.connect', refuse)
@pytest.mark.usefixtures('no_net')
def test_p():
    assert price(1) == 1.2
