from shop.core import names


from assertpy import assert_that

def test_names():
    assert_that(names()).is_length(2)
