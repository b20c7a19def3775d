from shop.core import *
from shop import core
def test_p():
    assert find('ada')
