from shop import core


def test_names():
    found = core.names()
    other = core.double(2)
    assert len(found) == 2
    assert found == ["ada", "bob"]
    assert other == 4
