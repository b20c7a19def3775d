import re

import pytest

from shop.core import names, parse

ADA = re.compile("ada", re.IGNORECASE)


def test_case():
    assert re.fullmatch(r"ada", names()[0], flags=re.IGNORECASE)  # oracle-weakened


def test_dot():
    assert re.search(r"a.b", str(names()), re.S | re.M)  # oracle-weakened


def test_compiled():
    assert ADA.match(names()[1])  # oracle-weakened


def test_error():
    with pytest.raises(ValueError, match=re.compile("bad text: x", re.I)):  # oracle-weakened
        parse("x")
