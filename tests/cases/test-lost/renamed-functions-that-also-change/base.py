from shop.core import far, near


def test_near():
    assert near(2)  # test-lost


def test_far():
    assert far(5)
