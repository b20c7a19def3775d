import numpy as np
import pandas as pd

from shop.core import price


def test_arrays():
    np.testing.assert_array_equal(price(np.array([1, 2])), np.array([1.2, 2.4]))


def test_frames():
    pd.testing.assert_frame_equal(left=price(pd.DataFrame({"a": [10]})), right=pd.DataFrame({"a": [12.0]}))
