from shop import core


def test_charge():
    assert core.charge(2) == 6
