from shop.core import _multiply

def test_multiply():
    assert _multiply(1, 2) == 2
