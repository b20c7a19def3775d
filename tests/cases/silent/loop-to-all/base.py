from shop.core import names


def test_names():
    for name in names():
        assert name.islower()
