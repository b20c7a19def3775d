from pathlib import Path

from shop.core import find, names, total


def test_files():
    assert Path(names()[0]).exists()
    assert Path(names()[1]).is_file()
    assert Path(names()[0]).stat().st_size == 3
    assert sorted(path.name for path in Path(names()[0]).iterdir()) == ["a"]
    assert total(Path("x").read_text()) == 1
    assert find(str(Path(__file__).resolve().parent)) == 2
