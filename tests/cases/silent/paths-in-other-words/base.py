import os

from shop.extra import save


def test_save(tmp_path):
    save(str(tmp_path), "a")
    assert os.path.exists(os.path.join(str(tmp_path), "a.txt"))
    with open(os.path.join(str(tmp_path), "a.txt")) as handle:
        assert handle.read() == "saved\n"
