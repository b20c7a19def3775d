from shop import core


def test_total():
    assert core.total([1, 2]) == 3
