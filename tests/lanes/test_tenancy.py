"""
One run at a time in a lane's tree, and nothing that it started outlives it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

#: A service: it leaves its starter's session, writes its number, and answers for as long as it lives.
SERVICE = (
    "import os, socket, sys, time\n"
    "if os.fork():\n    time.sleep(0.3)\n    raise SystemExit(0)\n"
    "{leave}"
    "server = socket.socket()\nserver.bind(('127.0.0.1', 0))\n"
    "server.listen()\nopen('port.txt', 'w').write(str(server.getsockname()[1]))\n"
    "open('pid.txt', 'w').write(str(os.getpid()))\ntime.sleep(600)\n"
)
TEST = (
    "import socket\n\n\ndef test_answers():\n    port = int(open('port.txt').read())\n"
    "    assert socket.create_connection(('127.0.0.1', port))\n"
)


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("leave", ["", "os.setsid()\n"], ids=["in its group", "as a daemon"])
def test_a_service_lives_as_long_as_its_lane(gate: Callable[..., Any], leave: str) -> None:
    if leave and sys.platform != "linux":
        pytest.skip("only Linux tells whose child a daemon was")
    files = {"tests/test_a.py": TEST, "service.py": SERVICE.format(leave=leave)}
    made = gate(files, setup=[f"{sys.executable} service.py"])

    done = made.start()

    assert done.returncode == 0, done.stdout + done.stderr
    assert not runs(int((made.tree / "pid.txt").read_text()))


def test_a_second_run_in_the_same_tree_waits_for_the_first(gate: Callable[..., Any], tmp_path: Path) -> None:
    """
    As two shards of one lane do, which a parallel Nox starts together: each would run the other's canaries.
    """
    slow = "import time\n\n\ndef test_slow():\n    time.sleep(1.5)\n    assert time\n"
    made = gate({"tests/test_a.py": slow})
    argv = [sys.executable, str(made.folder / "kit/oraclekeep_lanekit"), "suite"]
    env = {**os.environ, "GATE_SHARD": "one"}
    first = subprocess.Popen(argv, cwd=tmp_path, env=env, stdout=subprocess.DEVNULL)
    time.sleep(0.7)

    second = made.start(GATE_SHARD="two")

    assert first.wait() == second.returncode == 0
    assert "another run is in" in second.stdout
    assert made.read().klass == "green"
