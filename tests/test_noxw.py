"""
The wrapper that gets Nox for people who have none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NOXW = Path(__file__).resolve().parents[1] / "noxw"
TOOLS = ("sh", "dirname", "cat", "rm", "mkdir", "ls")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a POSIX shell script")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """
    A folder with the wrapper and a noxfile, and a `bin` folder that is all there is on PATH.
    """
    folder = tmp_path / "a project"
    (folder / "bin").mkdir(parents=True)
    shutil.copy(NOXW, folder / "noxw")
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found
        (folder / "bin" / tool).symlink_to(found)
    (folder / "noxfile.py").write_text(
        "import sys\n\nimport nox\n\n\n@nox.session(venv_backend='none')\ndef leave(session):\n"
        "    raise SystemExit(int(session.posargs[0]))\n"
    )
    return folder


def put(project: Path, name: str, script: str) -> None:
    path = project / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def noxw(project: Path, *args: str, path: str = "") -> subprocess.CompletedProcess[str]:
    env = {"PATH": path or str(project / "bin"), "HOME": str(project.parent)}
    return subprocess.run(
        [str(project / "noxw"), *args],
        cwd=project.parent,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


def ready(project: Path, script: str) -> None:
    """
    Leave an environment as the wrapper leaves it, with this script for its Python.
    """
    version = next(line for line in NOXW.read_text().splitlines() if line.startswith("NOX_VERSION="))
    folder = project / ".noxw" / "venv" / "bin"
    folder.mkdir(parents=True)
    (project / ".noxw" / "made").write_text(version.partition("=")[2] + "\n")
    (folder / "python").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "python").chmod(0o755)


def test_hands_arguments_and_exit_code_through(project: Path) -> None:
    ready(project, 'if [ "$2" = -c ]; then exit 0; fi\nprintf "<%s>" "$PWD" "$@"\nexit 7')

    done = noxw(project, "-s", "gate", "--", "--base", "a b")

    assert done.returncode == 7
    assert done.stdout == f"<{project}><-P><-m><nox><-s><gate><--><--base><a b>"


def test_without_python_says_what_to_install(project: Path) -> None:
    done = noxw(project, "-l")

    assert done.returncode == 2
    assert "no Python of 3.11 or newer on PATH" in done.stderr


def test_an_old_python_is_no_python(project: Path) -> None:
    put(project, "python3", "exit 1")

    assert "no Python of 3.11 or newer on PATH" in noxw(project, "-l").stderr


def test_a_python_that_makes_no_environments_is_named(project: Path) -> None:
    """
    Debian's Python without python3-venv and without pip.
    """
    put(project, "python3", '[ "$1" = -c ]')

    done = noxw(project, "-l")

    assert done.returncode == 2
    assert "apt install python3-venv" in done.stderr


def test_an_environment_that_was_left_half_made_is_made_anew(project: Path) -> None:
    ready(project, "exit 0")
    (project / ".noxw" / "made").unlink()

    assert "making an environment" in noxw(project, "-l").stderr


def test_an_environment_whose_python_is_gone_is_made_anew(project: Path) -> None:
    ready(project, "exit 127")

    assert "making an environment" in noxw(project, "-l").stderr


@pytest.mark.e2e
@pytest.mark.parametrize(
    "refused", ["", '"$1 $2" = "-m venv" -a "$3" != --without-pip'], ids=["venv", "debian"]
)
def test_gets_nox_and_ends_with_its_exit_code(project: Path, refused: str) -> None:
    """
    Also where `python -m venv` fails for want of ensurepip, as long as there is a pip to borrow.
    """
    guard = f"if [ {refused} ]; then exit 1; fi\n" if refused else ""
    put(project, "python3", f'{guard}exec {sys.executable} "$@"')
    path = os.pathsep.join((str(project / "bin"), "/usr/bin", "/bin"))

    first = noxw(project, "-s", "leave", "--", "0", path=path)

    assert first.returncode == 0, first.stderr
    assert noxw(project, "-s", "leave", "--", "2", path=path).returncode == 2
    assert (project / ".noxw" / ".gitignore").read_text() == "*\n"
