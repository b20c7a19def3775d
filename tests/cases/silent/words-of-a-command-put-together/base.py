import subprocess
import sys


def test_program():
    out = subprocess.check_output([sys.executable, "-m", "shop", "a"], text=True)
    assert out == "ok\n"


def test_helper():
    out = subprocess.check_output([sys.executable, "-m", "shop", "b"], text=True)
    assert out == "ok\n"
