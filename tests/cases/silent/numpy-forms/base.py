import numpy as np

from shop.core import double


def test_double():
    np.testing.assert_array_equal(double(np.array([1])), [2])
