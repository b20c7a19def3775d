from unittest import mock

import pytest

from shop import core


def refuse(*args):
    raise AssertionError("not here")


def test_send(monkeypatch):
    monkeypatch.setattr(core, "send", refuse)
    assert core.price(1) == 1.2
