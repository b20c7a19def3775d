import logging

import pytest

from shop.core import double, log_in


def test_log_in(caplog):
    caplog.set_level(logging.WARNING)
    log_in("ada")
    assert "hello ada" in caplog.text


def test_quiet(recwarn):
    double(2)


@pytest.mark.timeout(10)
def test_double():
    assert double(2) == 4
