import json

from shop.core import export


def test_export(tmp_path):
    target = tmp_path / "out.json"
    export([{"b": 1}], target)
    assert target.exists()
    assert json.loads(target.read_text(encoding="utf-8")) == [{"b": 1}]
