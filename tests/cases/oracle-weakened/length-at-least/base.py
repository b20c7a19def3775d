from shop.core import names


def test_names():
    assert len(names()) == 2
