import subprocess
import sys

import pytest

from shop.core import Cart, ParseError, names, parse, price
from shop.extra import stats


def test_parse():
    cart = Cart()
    cart.add(1)
    with pytest.raises(ParseError):
        parse("x")


def test_price():
    assert {"price": price(10)} == {"price": pytest.approx(12, rel=1e-9)}


def test_stats():
    assert stats([1, 2]) == pytest.approx({"mean": 1.5, "sum": 3}, rel=1e-9)


def test_process():
    subprocess.run([sys.executable, "-c", "import shop"], check=True)


def test_names():
    assert sorted(names()) == ["ada", "bob"]
