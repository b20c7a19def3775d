from pathlib import Path

from shop.core import double

GOLDEN = Path(__file__).parent / "golden.txt"


def test_double():
    assert f"double: {double(2)}" + "\n" == GOLDEN.read_text()
