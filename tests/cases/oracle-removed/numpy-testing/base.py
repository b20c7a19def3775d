import numpy as np

from shop.core import double


def test_double():
    np.testing.assert_array_equal(double(np.array([1])), [2])
    np.testing.assert_allclose(double(np.array([0.1])), [0.2])  # oracle-removed
