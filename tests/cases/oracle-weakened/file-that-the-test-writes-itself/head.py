from shop.core import export


def test_export(tmp_path):
    export(["a", "b"], tmp_path / "out")
    (tmp_path / "out").write_text("a,b")
    assert (tmp_path / "out").read_text() == "a,b"  # oracle-weakened
