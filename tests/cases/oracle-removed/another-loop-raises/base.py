import pytest

from shop.core import names, parse, price


def test_loop():
    with pytest.raises(TypeError):  # oracle-removed
        for _ in price(None):
            pass


def test_context():
    with pytest.raises(TypeError):  # oracle-removed
        with price(None):
            pass


def test_comparison():
    with pytest.raises(TypeError):  # oracle-removed
        price(1) < names()


def test_condition():
    with pytest.raises(TypeError):  # oracle-removed
        if parse(None):
            pass


def test_star():
    with pytest.raises(TypeError):  # oracle-removed
        first, *_ = price(None)


def test_while():
    with pytest.raises(TypeError):  # oracle-removed
        while parse(None):
            pass
