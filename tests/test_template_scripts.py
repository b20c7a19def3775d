"""
Every script in a CI template, read by ShellCheck as the shell that runs it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from .ci_bench import Bench, Run
from .ci_systems import CI, SCHEDULES, SYSTEMS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.templates


def scripts(folder: Path, jobs) -> Iterator[tuple[str, str]]:
    bench = Bench(folder, folder, "b" * 40, "a" * 40)
    for job in jobs(bench):
        for step in job.steps:
            if isinstance(step, Run):
                yield step.argv[0], bench.resolve(bench, job.name, step.script)


def complaints(shell: str, script: str) -> str:
    program = shutil.which("shellcheck")
    assert program, "shellcheck is not installed: `nox -s templates` does it"
    argv = (program, "--shell", shell, "--severity", "style", "-")
    return subprocess.run(argv, input=script, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize(
    "jobs",
    [*SYSTEMS.values(), *SCHEDULES.values()],
    ids=[*SYSTEMS, *(f"{name}-expiry" for name in SCHEDULES)],
)
def test_a_script_says_what_it_means(tmp_path, jobs) -> None:
    found = dict.fromkeys(scripts(tmp_path, jobs))

    assert found
    for shell, script in found:
        assert complaints(shell, script) == ""


def test_so_do_jenkins_scripts() -> None:
    text = (CI / "jenkins/Jenkinsfile.gate").read_text()
    found = re.findall(r"sh '''(.*?)'''", text, re.DOTALL) + re.findall(r"sh '([^']+)'\n", text)

    assert len(found) > 5
    for script in found:
        assert complaints("sh", script) == ""


def test_shellcheck_is_heard() -> None:
    assert "SC2086" in complaints("sh", "rm $1\n")
