from shop.core import double, half

def test_half():
    assert half(4) == 2  # oracle-retired

def test_double():
    assert double(2) == 4  # test-lost

def test_more():
    assert double(3) == 6
