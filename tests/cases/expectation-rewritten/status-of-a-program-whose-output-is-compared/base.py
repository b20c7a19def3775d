import subprocess
import sys


def test_main():
    out = subprocess.check_output([sys.executable, "-m", "shop"], text=True)
    assert out == "hello\n"
