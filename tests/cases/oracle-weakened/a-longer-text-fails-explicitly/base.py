from shop.core import *
from shop import core
import pytest
def test_p():
    if 'eve' in str(names()):
        pytest.fail('eve')
