from shop.core import *
from shop import core
def test_p():
    try:
        parse('x')
    except Exception as e:
        err = e
    assert err.code == 1  # oracle-weakened
