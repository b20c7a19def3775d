from shop.core import _times

def test_times():
    assert _times(1, 2) == 2
