from shop.core import ParseError, parse


def test_parse():
    try:
        assert parse("3") == 3  # oracle-weakened
    except ParseError as error:
        assert "bad text" in str(error)
