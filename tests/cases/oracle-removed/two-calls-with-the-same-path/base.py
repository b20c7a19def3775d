from shop.core import find


from pathlib import Path

def test_paths():
    assert find("a") == Path("x")
    assert find("b") == Path("x")  # oracle-removed
