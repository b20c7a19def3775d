from shop.core import parse


def test_parse(tmp_path):
    path = tmp_path / "n.txt"
    path.write_text("12")


def test_both():
    assert parse("3") == 3
