import subprocess
import sys


def test_main():
    out = subprocess.check_output([sys.executable, "-m", "shop"], text=True)
    assert out == "hello\n"


def test_checked():
    done = subprocess.run([sys.executable, "-m", "shop", "-v"], capture_output=True, text=True, check=True)
    assert done.stdout == "hello!\n"
