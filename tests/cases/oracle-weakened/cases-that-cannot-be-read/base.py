import json

import pytest

from shop.core import total


def cases():
    return json.load(open("cases.json"))

@pytest.mark.parametrize("items", cases())
def test_total(items):
    got = total(items)
    assert got == []
