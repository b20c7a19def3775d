from shop.core import names


def test_all_names(snapshot):
    assert names() == snapshot
