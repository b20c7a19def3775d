import pytest


def test_loop():
    with pytest.raises(TypeError):
        for _ in None:
            pass


def test_context():
    with pytest.raises(TypeError):
        with None:
            pass


def test_comparison():
    with pytest.raises(TypeError):
        1 < []


def test_condition():
    with pytest.raises(TypeError):
        if 1 < []:
            pass


def test_star():
    with pytest.raises(TypeError):
        first, *_ = None


def test_while():
    with pytest.raises(TypeError):
        while 1 < []:
            pass
