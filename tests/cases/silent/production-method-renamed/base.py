from shop.core import Till

def test_till():
    assert Till().open() == 1
