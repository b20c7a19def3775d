from shop.core import parse


def test_parse():
    got = parse("4")
    assert got == 4
