import subprocess
import sys
import unittest

import pytest

from shop.core import Cart, ParseError, names, parse, price
from shop.extra import stats


def test_parse():
    with pytest.raises(ParseError):
        cart = Cart()
        cart.add(1)
        parse("x")


def test_price():
    assert {"price": price(10)} == {"price": pytest.approx(12, rel=1e-3)}


def test_stats():
    found = stats([1, 2])
    assert found["mean"] == pytest.approx(1.5)
    assert found["sum"] == pytest.approx(3)


def test_process():
    done = subprocess.run([sys.executable, "-c", "import shop"])
    assert done.returncode == 0


class TestNames(unittest.TestCase):
    def test_names(self):
        self.assertCountEqual(names(), ["bob", "ada"])
