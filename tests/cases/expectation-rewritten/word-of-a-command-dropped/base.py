import subprocess
import sys


def test_program():
    out = subprocess.check_output([sys.executable, "-W", "error", "-m", "shop"], text=True)
    assert out == "ok\n"
