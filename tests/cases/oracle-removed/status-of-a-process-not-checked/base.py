import subprocess
import sys


def test_process():
    done = subprocess.run([sys.executable, "-c", "import shop"])
    assert done.returncode == 0  # oracle-removed
