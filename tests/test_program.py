"""
The `oraclekeep` program itself: its version, its other name, and what it tells shells.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from oraclekeep import __version__
from oraclekeep.invoke_tasks import collection
from oraclekeep.rows import ROWS

from .program import SOURCE, run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def on_path(tmp_path: Path) -> dict[str, str]:
    """
    An environment in which `oraclekeep` is a command, as after an installation.
    """
    command = tmp_path / "bin" / "oraclekeep"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nPYTHONPATH={SOURCE} exec {sys.executable} -m oraclekeep "$@"\n')
    command.chmod(0o755)
    return {**os.environ, "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}"}


def completed(env: dict[str, str], folder: Path, *words: str) -> list[str]:
    """
    Press the tabulator key in a real bash, after these words.
    """
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    line = (
        'eval "$(oraclekeep --print-completion-script bash)"\n'
        'COMP_WORDS=(oraclekeep "$@"); COMP_CWORD=$#; _complete_oraclekeep oraclekeep "${!#}"\n'
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        [bash, "-c", line, "bash", *words], cwd=folder, env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["qua"], ["quarantine"]),
        (["score", "--wo"], ["--worktree"]),
        (["explain", "oracle-r"], ["oracle-removed", "oracle-retired"]),
        (["explain", ""], list(ROWS)),
        (["outcomes", ""], []),
        (["score", "--base", ""], []),
        ([""], sorted(collection().task_names)),
    ],
    ids=lambda words: " ".join(words[:3]),
)
def test_bash_completes(on_path: dict[str, str], tmp_path: Path, words: list[str], found: list[str]) -> None:
    """
    Tasks, options, rows; where nothing is offered, bash goes on with the names of files.
    """
    assert sorted(completed(on_path, tmp_path, *words)) == sorted(found)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_a_script_that_asks_this_program(tmp_path: Path, shell: str) -> None:
    answer = run(tmp_path, shell, task="--print-completion-script")

    assert answer.code == 0
    assert "oraclekeep --complete --" in answer.out.replace("${=collection_arg} ", "")


def test_a_shell_that_is_not_known_is_an_error_of_usage(tmp_path: Path) -> None:
    answer = run(tmp_path, "tcsh", task="--print-completion-script")

    assert answer.code == 2
    assert "tcsh" in answer.err


def test_the_module_says_its_version(tmp_path: Path) -> None:
    answer = run(tmp_path, task="--version")

    assert (answer.code, answer.out.strip()) == (0, f"oraclekeep {__version__}")


def test_a_reader_that_leaves_is_no_rejection(on_path: dict[str, str], tmp_path: Path) -> None:
    """
    As in `oraclekeep --list | head`; 1 would say that something was looked at and refused.
    """
    with subprocess.Popen(
        ["oraclekeep", "--list"], cwd=tmp_path, env=on_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        _, said = process.communicate()

    assert process.returncode == 2
    assert b"Traceback" not in said
