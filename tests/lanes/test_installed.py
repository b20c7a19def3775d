"""
What is installed, as the process that keeps the record sees it: without having started the environment.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from oraclekeep.lanekit import installed

from ..environments import site_of  # noqa: TID252  # the suite is no package that is installed

#: Debian's own Python has folders of its own where it is not in a venv.
PYTHONS = {"ours": sys.executable, "the system's": shutil.which("python3", path="/usr/bin") or ""}


@pytest.mark.parametrize("name", [name for name, python in PYTHONS.items() if python])
def test_an_environment_that_was_not_started_is_read_all_the_same(tmp_path: Path, name: str) -> None:
    python = PYTHONS[name]
    made = subprocess.run((python, "-m", "venv", "--without-pip", tmp_path / "venv"), check=False)
    if made.returncode:
        pytest.skip(f"{python} lacks a working venv module")
    info = site_of(tmp_path / "venv/bin/python") / "green_maker-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text("[pytest11]\ngreen = green_maker\n")
    code = (
        f"import sys; sys.path.insert(0, {str(Path(installed.__file__).parent)!r}); import installed\n"
        "print([(one.name, one.plugins) for one in installed.distributions()])"
    )
    done = subprocess.run(
        (tmp_path / "venv/bin/python", "-ISB", "-c", code), capture_output=True, text=True, check=False
    )

    assert done.stdout == "[('green-maker', {'green': 'green_maker'})]\n", done.stderr
