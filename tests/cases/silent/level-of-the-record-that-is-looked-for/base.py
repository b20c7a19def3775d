import logging

import pytest

from shop.core import double, log_in


def test_log_in(caplog):
    caplog.set_level(logging.DEBUG)
    log_in("ada")
    assert "hello ada" in caplog.text


def test_quiet(recwarn):
    double(2)


@pytest.mark.timeout(60)
def test_double():
    assert double(2) == 4
