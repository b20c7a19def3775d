import re

import pytest

from shop.core import names, parse


def test_inline():
    assert re.search("ada", names()[0], re.I)


def test_dropped():
    assert re.search("bob", names()[0], re.I)


def test_compiled():
    assert re.search("eve", names()[0], re.I)


def test_without_effect():
    assert re.search(r"\d+", names()[0])


def test_error():
    with pytest.raises(ValueError, match="bad text: x"):
        parse("x")
