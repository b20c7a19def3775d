import numpy as np

from shop.core import double


from numpy.testing import assert_array_equal

def test_double():
    assert_array_equal(double(np.array([1])), [2], err_msg="twice")
