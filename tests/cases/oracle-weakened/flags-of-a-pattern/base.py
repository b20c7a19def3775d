import re

import pytest

from shop.core import names, parse

ADA = re.compile("ada")


def test_case():
    assert re.fullmatch(r"ada", names()[0])


def test_dot():
    assert re.search(r"a.b", str(names()))


def test_compiled():
    assert ADA.match(names()[1])


def test_error():
    with pytest.raises(ValueError, match="bad text: x"):
        parse("x")
