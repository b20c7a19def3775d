from shop.core import total


from assertpy import assert_that

def test_total():
    assert_that(total([1, 2]))
