from shop.core import *
from shop import core
import warnings
def test_p():  # oracle-weakened
    with warnings.catch_warnings(action='error', category=UserWarning):
        assert price(1) == 1.2
