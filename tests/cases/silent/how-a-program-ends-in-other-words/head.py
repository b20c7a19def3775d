import subprocess

import pytest


def test_call():
    subprocess.check_call(["shop", "sell"])


def test_status():
    done = subprocess.run(["shop", "buy"], capture_output=True)
    assert done.returncode == 0


def test_set_up(tmp_path):
    assert tmp_path.exists()
