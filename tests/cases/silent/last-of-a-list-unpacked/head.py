from unittest.mock import Mock, call

from shop.core import names


def test_names():
    first, *_, last = names()
    assert (first, last) == ("ada", "bob")


def test_words():
    assert [name.upper() for name in names()] == "ADA\nBOB".splitlines()
