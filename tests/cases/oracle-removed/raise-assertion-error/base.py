from shop.core import parse


def test_text():
    assert parse("4") == 4
    if parse("5") != 5:
        raise AssertionError("five")  # oracle-removed
