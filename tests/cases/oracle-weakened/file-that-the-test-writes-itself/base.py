from shop.core import export


def test_export(tmp_path):
    export(["a", "b"], tmp_path / "out")
    assert (tmp_path / "out").read_text() == "a,b"
