"""
`score --watch` as it is used: beside an editor, in a process of its own, ended by Ctrl-C.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from queue import Empty, Queue
from typing import TYPE_CHECKING

import pytest

from .program import BASE, MORE, SOURCE, TEST, WEAK, branched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.conftest import GitRepo

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is a signal here")
SOON = 30.0


class Watcher:
    """
    The program while it runs; what it says arrives line by line.
    """

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._lines: Queue[str] = Queue()
        for stream in (process.stdout, process.stderr):
            threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream) -> None:
        for line in stream:
            self._lines.put(line)

    def until(self, word: str) -> str:
        """
        Return what was said up to the line that holds the word.
        """
        said, end = "", time.monotonic() + SOON
        while word not in said:
            try:
                said += self._lines.get(timeout=max(0.0, end - time.monotonic()))
            except Empty:
                pytest.fail(f"{word!r} was not said, but: {said!r}")
        return said

    def quiet_for(self, seconds: float) -> str:
        """
        Return the line that is said within this time, or nothing.
        """
        try:
            return self._lines.get(timeout=seconds)
        except Empty:
            return ""

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=SOON)


@contextlib.contextmanager
def watching(folder: Path, *words: str) -> Iterator[Watcher]:
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "LC_ALL": "C.UTF-8"}
    argv = (sys.executable, "-m", "oraclekeep", "score", "--base", "main", "--watch", *words)
    with subprocess.Popen(
        argv, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            yield Watcher(process)
        finally:
            process.kill()


@pytest.fixture
def repo(make_repo: Callable[..., GitRepo]) -> GitRepo:
    made = make_repo()
    branched(made, {TEST: MORE}, {**BASE, ".gitignore": "ignored/\n"})
    return made


def test_every_change_is_scored_and_ctrl_c_ends_with_the_last_answer(repo: GitRepo) -> None:
    with watching(repo.root) as watcher:
        assert "ALLOW" in watcher.until("oracle power")
        repo.write({TEST: WEAK})
        assert "oracle-removed" in watcher.until("next:")
        repo.write({TEST: MORE, "ignored/x.py": "", "tests/test_new.py": WEAK})
        assert "ALLOW" in watcher.until("oracle power")
        repo.write({"tests/test_new.py": None, TEST: WEAK})
        watcher.until("next:")

        assert watcher.stop() == 1


def test_index_objects_and_files_stay_as_they_are(repo: GitRepo) -> None:
    index, store = repo.root / ".git/index", repo.root / ".git/objects"
    before = index.read_bytes(), sorted(store.rglob("*"))
    with watching(repo.root) as watcher:
        watcher.until("oracle power")
        repo.write({TEST: WEAK})
        watcher.until("next:")

        assert watcher.stop() == 1
    assert before == (index.read_bytes(), sorted(store.rglob("*")))
    assert repo.git("status", "--porcelain") == f"M {TEST}"


def test_the_same_answer_is_one_line(repo: GitRepo) -> None:
    """
    Another working copy, and nothing new to say of it.
    """
    with watching(repo.root) as watcher:
        watcher.until("checks: 1 added")
        repo.write({"src/shop/core.py": "# words\n" + BASE["src/shop/core.py"]})

        assert "as before: ALLOW" in watcher.until("\n")
        assert watcher.quiet_for(1.5) == ""
        assert watcher.stop() == 0


def test_for_a_tool_each_answer_is_one_line_and_no_change_is_none(repo: GitRepo) -> None:
    """
    Neither an ignored file nor the gate's own folder is a change.
    """
    with watching(repo.root, "--json") as watcher:
        first = json.loads(watcher.until("\n"))
        repo.write({"ignored/test_x.py": "def test(:\n", ".gate/x": ""})
        assert watcher.quiet_for(1.5) == ""
        repo.write({TEST: WEAK})
        second = json.loads(watcher.until("\n"))

        assert [first["decision"], second["decision"]] == ["allow", "reject"]
        assert watcher.stop() == 1


def test_what_cannot_be_judged_for_the_moment_is_waited_out(repo: GitRepo) -> None:
    """
    A base that goes away and comes back, as in a rebase that somebody is in the middle of.
    """
    with watching(repo.root) as watcher:
        watcher.until("oracle power")
        repo.git("branch", "--move", "main", "elsewhere")
        assert "no commit named 'main'" in watcher.until("no commit")
        assert watcher.process.poll() is None
        repo.git("branch", "--move", "elsewhere", "main")
        watcher.until("oracle power")

        assert watcher.stop() == 0


def test_ctrl_c_while_nothing_can_be_judged_is_a_two(repo: GitRepo) -> None:
    repo.git("branch", "--move", "main", "elsewhere")
    with watching(repo.root) as watcher:
        watcher.until("no commit named 'main'")

        assert watcher.stop() == 2
