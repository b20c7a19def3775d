from shop.core import names


def test_names():
    assert names()
    for name in names():
        assert name.islower()
