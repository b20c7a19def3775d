from shop.core import parse, ParseError

def test_error():
    try:
        parse("x")
    except ParseError as error:
        assert error.code == 1
