from shop.core import parse


def test_parse():
    text = parse("x")
    assert "b" in text
