from shop.core import double


from numpy.testing import assert_allclose, assert_equal

def test_double():
    assert_equal(double(1), 2)
    assert_allclose(double(0.1), 0.2)  # oracle-removed
