import logging

from shop.core import log_in


def test_login(caplog):
    with caplog.at_level(logging.WARNING):
        log_in("ada")
    assert caplog.messages == ["hello ada"]
