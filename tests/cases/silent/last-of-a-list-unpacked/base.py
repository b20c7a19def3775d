from unittest.mock import Mock, call

from shop.core import names


def test_names():
    assert names()[0] == "ada"
    assert names()[-1] == "bob"


def test_words():
    assert [name.upper() for name in names()] == ["ADA", "BOB"]
