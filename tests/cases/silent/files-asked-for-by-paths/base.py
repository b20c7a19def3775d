import os

from shop.core import find, names, total


def test_files():
    assert os.path.exists(names()[0])
    assert os.path.isfile(names()[1])
    assert os.path.getsize(names()[0]) == 3
    assert sorted(os.listdir(names()[0])) == ["a"]
    assert total(open("x").read()) == 1
    assert find(os.path.dirname(os.path.abspath(__file__))) == 2
