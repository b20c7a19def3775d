from shop import core


def assert_same(left, right):
    assert left == right


def test_the_file_stays(tmp_path):
    before = (tmp_path / "a").read_bytes()
    core.names()
    assert_same((tmp_path / "a").read_bytes(), before)
