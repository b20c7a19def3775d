import subprocess
import sys


def test_main():
    done = subprocess.run([sys.executable, "-m", "shop"], stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0
    assert done.stdout == "hello\n"


def test_checked():
    assert subprocess.check_output([sys.executable, "-m", "shop", "-v"], text=True) == "hello!\n"
