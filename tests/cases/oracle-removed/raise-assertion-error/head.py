from shop.core import parse


def test_text():
    assert parse("4") == 4
