"""
Wheel and sdist: they build clean, are complete, and run where nothing else is installed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.habits]

ROOT = Path(__file__).resolve().parents[1]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
TEST = "def test_a():\n    assert 1 + 1 == 2\n"


def environment(folder: Path, python: str = sys.executable) -> Path:
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    return folder / "bin"


def run(*argv: str | Path, cwd: Path) -> str:
    done = subprocess.run(argv, cwd=cwd, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout.decode()
    return done.stdout.decode()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """
    The wheel, built from the sdist, and the sdist.
    """
    folder = tmp_path_factory.mktemp("built")
    tools = environment(folder / "tools")
    run(tools / "python", "-m", "pip", "install", "--quiet", "build", "twine", cwd=folder)
    run(tools / "python", "-m", "build", "--outdir", folder / "dist", ROOT, cwd=folder)
    (wheel,), (sdist,) = (sorted((folder / "dist").glob(end)) for end in ("*.whl", "*.tar.gz"))
    run(tools / "python", "-m", "twine", "check", "--strict", wheel, sdist, cwd=folder)
    return wheel, sdist


def test_the_wheel_holds_what_the_kit_hands_out(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[0]) as wheel:
        names = set(wheel.namelist())
        metadata = message_from_bytes(wheel.read(f"oraclekeep-{VERSION}.dist-info/METADATA"))

    inside = {path.relative_to(ROOT / "src").as_posix() for path in _files(ROOT / "src/oraclekeep")}
    templates = {f"oraclekeep/templates/{path.relative_to(ROOT).as_posix()}" for path in _files(ROOT / "ci")}
    assert inside | templates | {"oraclekeep/templates/noxw"} <= names
    assert not {name.split("/")[0] for name in names} - {"oraclekeep", f"oraclekeep-{VERSION}.dist-info"}
    for key in ("Summary", "Author", "License-Expression", "Requires-Python", "Keywords", "Classifier"):
        assert metadata[key], key
    assert metadata["Description-Content-Type"] == "text/markdown"


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]


def test_the_sdist_holds_sources_tests_and_pages(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[1]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}

    assert {
        "pyproject.toml",
        "noxfile.py",
        "mkdocs.yml",
        "docs/tutorial.md",
        "tests/test_packaging.py",
    } <= names


@pytest.mark.parametrize("name", ["python3.11", "python3.12", "python3.13", "python3.14"])
def test_it_runs_where_nothing_else_is_installed(built: tuple[Path, Path], tmp_path: Path, name: str) -> None:
    """
    The program, the module, and `init`, which takes its templates out of the wheel.
    """
    python = shutil.which(name)
    if python is None or subprocess.run([python, "-c", ""], check=False).returncode:
        pytest.skip(f"there is no {name}")
    bin_ = environment(tmp_path / "venv", python)
    run(bin_ / "python", "-m", "pip", "install", "--quiet", built[0], cwd=tmp_path)

    for argv in (("oraclekeep",), ("python", "-m", "oraclekeep")):
        assert run(bin_ / argv[0], *argv[1:], "--version", cwd=tmp_path) == f"oraclekeep {VERSION}\n"
    project = tmp_path / "project"
    (project / "tests").mkdir(parents=True)
    (project / "tests/test_a.py").write_text(TEST)
    run("git", "init", "--quiet", cwd=project)
    said = run(bin_ / "oraclekeep", "init", "--ci", "github", cwd=project)

    assert "noxfile.py" in said
    assert (project / "noxfile.py").read_text().count(f'"oraclekeep=={VERSION}"') == 1
    assert (project / ".github/workflows/gate.yml").is_file()
