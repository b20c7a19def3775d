import subprocess
import sys


def test_module():
    subprocess.run([sys.executable, "-m", "shop"], check=True)


def test_script():
    subprocess.check_call(["shop", "--version"])
