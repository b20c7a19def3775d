import json
from pathlib import Path

from shop.core import find

RECORD = json.loads((Path(__file__).parent / "other.json").read_text())


def test_find():
    assert find("ada") == RECORD
