import numpy as np
import pandas as pd

from shop.core import price


def test_arrays():
    assert (price(np.array([1, 2])) == np.array([1.2, 2.4])).all()


def test_frames():
    pd.testing.assert_frame_equal(price(pd.DataFrame({"a": [10]})), pd.DataFrame({"a": [12.0]}))
