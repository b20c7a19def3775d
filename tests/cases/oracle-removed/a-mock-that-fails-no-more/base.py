from shop.core import *
from shop import core
from unittest import mock
def test_p():  # oracle-removed
    with mock.patch('shop.core.send', side_effect=AssertionError) as m:
        assert core.price(1) == 1.2
