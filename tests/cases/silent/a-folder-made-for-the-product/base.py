from shop import core


def test_build(tmp_path):
    core.build(tmp_path / "out")
    assert (tmp_path / "out").is_dir()
