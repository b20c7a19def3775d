from shop.core import names


from pathlib import Path

def test_names():
    assert "\n".join(names()) == Path(__file__).with_name("golden.txt").read_text()
