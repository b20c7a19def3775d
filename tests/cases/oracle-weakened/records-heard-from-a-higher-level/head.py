import logging

from shop.core import double


def test_quiet(caplog):  # oracle-weakened
    caplog.set_level(logging.CRITICAL)
    double(2)
    assert caplog.records == []
