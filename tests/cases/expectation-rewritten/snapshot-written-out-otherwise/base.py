from shop.core import names


def test_names(snapshot):
    assert names() == snapshot
