from shop.core import parse, ParseError

def test_error():
    raised = False
    try:
        parse("x")
    except ParseError as error:
        raised = True
        assert error.code == 1
    assert raised  # oracle-removed
