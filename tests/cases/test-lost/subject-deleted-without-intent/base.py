from shop.core import double, half

def test_half():
    assert half(4) == 2  # test-lost

def test_double():
    assert double(2) == 4
