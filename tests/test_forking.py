"""
Work in a fork: its answer arrives, and where it has none the work is done here.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
from typing import TYPE_CHECKING

import pytest

from .program import CODE, CORE, SOURCE, branched

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import GitRepo


def told(body: str, folder: Path | None = None) -> list[str]:
    """
    Run a script in a process of its own, which has one thread, and return its lines.
    """
    done = subprocess.run(
        [sys.executable, "-c", f"import os\nfrom oraclekeep.forking import beside\n{textwrap.dedent(body)}"],
        env={**os.environ, "PYTHONPATH": str(SOURCE)}, capture_output=True, text=True, check=True, timeout=60,
        cwd=folder,
    )  # fmt: skip
    return done.stdout.splitlines()


def test_the_answer_is_made_in_another_process() -> None:
    body = """
        with beside(lambda: (os.getpid(), "x" * 1_000_000)) as answer:
            pid, text = answer()
        print(pid == os.getpid(), len(text), os.cpu_count() > 1)
        """

    assert told(body) in (["False 1000000 True"], ["True 1000000 False"])


@pytest.mark.parametrize(
    ("work", "said"),
    [
        ("raise KeyError('k')", "KeyError 'k'"),
        ("raise SystemExit(3)", "SystemExit 3"),
        ("return lambda: None", "done here"),
        ("os.getpid() == here or os._exit(9)", "done here"),
        (f"os.getpid() == here or os.kill(os.getpid(), {int(signal.SIGKILL)})", "done here"),
    ],
)
def test_without_an_answer_it_is_done_here(work: str, said: str) -> None:
    """
    An error is raised where the answer is asked for, as if the work had been called there.
    """
    body = f"""
        here = os.getpid()
        def work():
            {work}
        try:
            with beside(work) as answer:
                answer()
            print("done here")
        except BaseException as error:
            print(type(error).__name__, error)
        """

    assert told(body) == [said]


def test_nobody_waits_for_an_answer_that_is_not_asked_for() -> None:
    body = """
        import time
        start = time.monotonic()
        try:
            with beside(lambda: time.sleep(30)):
                raise KeyError
        except KeyError:
            print(time.monotonic() - start < 20)
        try:
            print(os.waitpid(-1, os.WNOHANG))
        except ChildProcessError:
            print("no process is left")
        """

    assert told(body) == ["True", "no process is left"]


def test_what_is_buffered_is_written_once() -> None:
    body = """
        print("once", end=" ")
        with beside(lambda: print("never")) as answer:
            answer()
        print("and the end")
        """

    assert told(body) in (["once and the end"], ["once never", "and the end"])


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux hands orphans to another process than the first"
)
def test_a_score_leaves_no_process(make_repo: Callable[..., GitRepo]) -> None:
    """
    The fork asks a Git of its own, which would stay as a zombie where the first process reaps nothing.
    """
    repo = make_repo()
    branched(repo, {CODE: CORE + "\n\ndef names():\n    return []\n"})
    code = """
        import ctypes, subprocess, sys, time
        ctypes.CDLL(None).prctl(36, 1)  # PR_SET_CHILD_SUBREAPER
        done = subprocess.run([sys.executable, "-m", "oraclekeep", "score", "--base", "main"], stdout=-3)
        time.sleep(0.2)
        try:
            print(done.returncode, os.waitpid(-1, os.WNOHANG))
        except ChildProcessError:
            print(done.returncode, "no process is left")
        """

    assert told(code, repo.root) == ["0 no process is left"]


def test_a_process_with_threads_is_not_forked() -> None:
    """
    A lock that another thread holds would stay locked in the fork.
    """
    from oraclekeep.forking import beside  # noqa: PLC0415  # all else runs in processes of their own

    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    with beside(os.getpid) as answer:
        assert answer() == os.getpid()
    stop.set()
    thread.join()
