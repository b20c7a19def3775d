import subprocess
import sys

SHOP = [sys.executable, "-m", "shop"]


def shop(*words):
    return subprocess.check_output([sys.executable, "-m", "shop", *words], text=True)


def test_program():
    out = subprocess.check_output([*SHOP, "a"], text=True)
    assert out == "ok\n"


def test_helper():
    assert shop("b") == "ok\n"
