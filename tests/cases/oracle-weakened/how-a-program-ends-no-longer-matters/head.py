import subprocess
import sys


def test_module():
    subprocess.run([sys.executable, "-m", "shop"], check=False)  # oracle-weakened


def test_script():
    subprocess.call(["shop", "--version"])  # oracle-weakened
