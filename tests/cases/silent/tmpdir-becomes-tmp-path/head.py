from shop.core import parse


def test_file(tmp_path):
    target = tmp_path / "in.txt"
    target.write_text("7")
    assert parse(target.read_text()) == 7
    assert target.exists()
