from shop.extra import save


def test_save(tmp_path):
    save(tmp_path, "a")
    assert (tmp_path / "a.txt").exists()
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "saved\n"
