import numpy as np

from shop.core import price


def test_price():
    np.testing.assert_array_almost_equal(price(np.array([1, 2])), np.array([1.2, 2.4]))
