from shop.core import Shape


def test_find():
    assert Shape().sides == 4  # oracle-removed
