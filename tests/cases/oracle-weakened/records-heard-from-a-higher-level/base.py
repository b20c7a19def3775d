import logging

from shop.core import double


def test_quiet(caplog):
    caplog.set_level(logging.DEBUG)
    double(2)
    assert caplog.records == []
