import subprocess
import sys


def test_main():
    done = subprocess.run([sys.executable, "-m", "shop"], stdout=subprocess.PIPE, text=True)
    assert done.stdout == "hello\n"  # expectation-rewritten
