from shop.core import parse


def test_parse(text):
    assert parse(text) > 0
