import pandas as pd

from shop.core import double


def test_double():
    pd.testing.assert_series_equal(double(pd.Series([1])), pd.Series([2]))
