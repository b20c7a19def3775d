import subprocess

import pytest


def test_call():
    subprocess.run(["shop", "sell"], check=True)


def test_status():
    subprocess.run(["shop", "buy"], check=True)


def test_set_up(tmp_path):
    subprocess.run(["git", "init"], check=True)
    assert tmp_path.exists()
