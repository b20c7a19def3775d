from shop.core import parse


def test_parse():
    assert parse("1") == 1
