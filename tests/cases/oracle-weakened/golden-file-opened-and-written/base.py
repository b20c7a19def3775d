from pathlib import Path

from shop.core import names

GOLDEN = Path(__file__).parent / "golden.txt"


def test_names():
    assert "\n".join(names()) == GOLDEN.read_text()
