from shop.core import close, far


def test_close():
    assert close(3)


def test_far():
    assert far(5)
