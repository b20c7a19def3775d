from shop.core import ParseError, parse


def test_parse():
    try:
        parse("x")
    except ParseError:
        assert True  # oracle-weakened
