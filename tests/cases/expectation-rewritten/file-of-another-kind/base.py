import os

from shop.core import names, total


def test_files():
    assert os.path.isfile(names()[0])
    assert total(open("x").read()) == 1
