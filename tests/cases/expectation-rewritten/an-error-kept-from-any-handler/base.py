from shop.core import *
from shop import core
def test_p():
    try:
        parse('x')
    except ParseError as e:
        err = e
    assert err.code == 1
