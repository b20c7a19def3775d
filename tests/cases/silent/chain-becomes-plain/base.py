from assertpy import assert_that
from nose.tools import assert_equal, assert_raises, assert_true

from shop.core import ParseError, names, parse


def test_names():
    assert_that(names()).is_length(2)
    assert_that(len(names())).is_greater_than(1)


def test_nose():
    assert_equal(parse("3"), 3)
    assert_true("ada" in names())
    with assert_raises(ParseError):
        parse("x")
