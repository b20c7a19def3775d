import subprocess
import sys


def test_process():
    subprocess.run([sys.executable, "-c", "import shop"], check=False)
