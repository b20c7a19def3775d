import numpy as np

from shop.core import price


def test_price():
    np.testing.assert_almost_equal(price(3), 3.6, decimal=7)
    np.testing.assert_array_almost_equal(price(2), 2.4)
