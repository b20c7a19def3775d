from shop.core import double, find


def test_find(snapshot):
    assert find("ada") == snapshot  # oracle-removed
    assert double(1) == 2
