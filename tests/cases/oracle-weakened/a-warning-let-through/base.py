from shop.core import *
from shop import core
import warnings
def test_p():
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        assert price(1) == 1.2
