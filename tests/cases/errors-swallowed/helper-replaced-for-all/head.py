from shop.core import double
from tests import helpers


def test_double():
    helpers.assert_same(double(2), 4)
