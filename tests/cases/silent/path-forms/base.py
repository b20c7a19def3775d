from shop.core import total


def test_write(tmp_path):
    (tmp_path / "a.txt").write_text(str(total([1, 2])))
    assert (tmp_path / "a.txt").read_text() == "3"
