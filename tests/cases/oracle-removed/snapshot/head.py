from shop.core import double


def test_find(snapshot):
    assert double(1) == 2
