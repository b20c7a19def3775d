import csv
from pathlib import Path

from shop.core import find


def test_find():
    for name, age in csv.reader(Path(__file__).with_name("rows.csv").open()):
        assert find(name)["age"] == int(age)
