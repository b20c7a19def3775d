import numpy as np

from shop.core import price


def test_arrays():
    assert (price(np.array([1, 2])) == np.array([1.2, 2.4])).all()  # oracle-weakened
