import re

import pytest

from shop.core import names, parse

EVE = re.compile("eve", re.IGNORECASE)


def test_inline():
    assert re.search("(?i)ada", names()[0])


def test_dropped():
    assert re.search("bob", names()[0])


def test_compiled():
    assert EVE.search(names()[0])


def test_without_effect():
    assert re.search(r"\d+", names()[0], re.I | re.S)


def test_error():
    with pytest.raises(ValueError, match=re.compile("bad text: x")):
        parse("x")
