from shop import core


def test_the_file_stays(tmp_path):
    before = (tmp_path / "a").read_bytes()
    core.names()
    assert (tmp_path / "a").read_bytes() == before
