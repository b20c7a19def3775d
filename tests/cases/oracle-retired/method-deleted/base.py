from shop.core import Till

def test_till():
    assert Till().open() == 1
    assert Till().shut() == 0  # oracle-retired
