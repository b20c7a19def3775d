from shop.core import Till

def test_till():
    assert Till().start() == 1
