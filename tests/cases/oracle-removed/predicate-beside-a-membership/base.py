from shop.core import parse


def test_parse():
    text = parse("x")
    assert text.startswith("a")  # oracle-removed
    assert "b" in text
