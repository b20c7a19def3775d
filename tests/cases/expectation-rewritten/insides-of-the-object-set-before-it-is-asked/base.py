from shop.core import Bucket


def test_take():
    bucket = Bucket()
    bucket.take(3)
    assert bucket.tokens == 0
