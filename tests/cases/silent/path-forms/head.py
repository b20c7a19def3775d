from shop.core import total


def test_write(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(str(total([1, 2])))
    assert path.read_text() == "3"
