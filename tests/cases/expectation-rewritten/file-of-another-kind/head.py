from pathlib import Path

from shop.core import names, total


def test_files():
    assert Path(names()[0]).exists()  # expectation-rewritten
    assert total(Path("y").read_text()) == 1  # expectation-rewritten
