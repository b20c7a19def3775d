from shop.core import Shape


def test_a():
    assert Shape().sides == 4
