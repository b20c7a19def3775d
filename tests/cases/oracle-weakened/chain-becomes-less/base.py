from assertpy import assert_that
from nose.tools import assert_raises

from shop.core import ParseError, names, parse


def test_names():
    assert_that(names()).is_length(2)


def test_nose():
    with assert_raises(ParseError):
        parse("x")
