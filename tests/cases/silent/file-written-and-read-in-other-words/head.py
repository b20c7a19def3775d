from shop.core import parse


def test_parse(tmp_path):
    path = tmp_path / "n.txt"
    path.write_text("12")
    assert parse(path.read_text()) == 12
    assert path.exists()


def test_both(tmp_path):
    path = tmp_path / "n.txt"
    path.write_text("12")
    text = path.read_text()
    assert text == "12"
    assert parse(text) == 12


def test_writing(tmp_path):
    path = tmp_path / "n.txt"
    path.write_text("12")
    assert parse(path.read_text()) == 12


def test_reading(tmp_path):
    path = tmp_path / "n.txt"
    path.write_text("12")
    assert parse(path.read_text()) == 12
