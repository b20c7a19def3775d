import numpy as np

from shop.core import double


def test_double():
    np.testing.assert_allclose(double(np.array([1])), [2])  # oracle-weakened
