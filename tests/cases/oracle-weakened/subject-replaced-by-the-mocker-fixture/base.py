from shop import core


def test_double():
    assert core.double(2) == 4
