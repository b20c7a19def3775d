"""
Habits of real repositories, each adopted by `init` and judged by the real gate.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from .program import SOURCE
from .program import run as program

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import GitRepo

pytestmark = [pytest.mark.e2e, pytest.mark.habits]

HATCH = '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
NAMED = '[project]\nname = "pkg"\nversion = "1"\n'
EXTRA = '[project.optional-dependencies]\ntest = ["pytest"]\n'
CODE = "def f(x):\n    return x + 1\n"
TEST = "from pkg import f\n\n\ndef test_f():\n    assert f(1) == 2\n\n\ndef test_g():\n    assert f(0) == 1\n"
UNIT = (
    "import unittest\n\nfrom pkg import f\n\n\nclass TestF(unittest.TestCase):\n"
    "    def test_f(self):\n        self.assertEqual(f(1), 2)\n\n"
    "    def test_g(self):\n        self.assertEqual(f(0), 1)\n"
)
FLAT = {"pyproject.toml": HATCH + NAMED + EXTRA, "pkg/__init__.py": CODE, "tests/test_f.py": TEST}
#: Starts a server for one lane; it ends with the lane.
START_SERVER = """\
#!/bin/sh
set -eu
folder=$(mktemp -d); as=; tree=$PWD
if [ "$(id -u)" = 0 ]; then as="runuser -u postgres --"; chown postgres "$folder"; fi
cd "$folder"
$as initdb -D "$folder/data" -A trust -U postgres >/dev/null
$as pg_ctl -D "$folder/data" -o "-k $folder -c listen_addresses=" -w -l "$folder/log" start
echo "$folder" > "$tree/.server"
"""
SQL = (
    "\n\ndef test_sql():\n    from pathlib import Path\n\n    import pg8000.native\n\n"
    "    socket = Path('.server').read_text().strip() + '/.s.PGSQL.5432'\n"
    "    connection = pg8000.native.Connection('postgres', unix_sock=socket)\n"
    "    assert connection.run('select 1 + 1') == [[2]]\n    connection.close()\n"
)


@dataclass(frozen=True)
class Habit:
    """
    A project, what its owner adds to the settings, and the tests that the suite lane must have run.
    """

    files: dict[str, str]
    tests: int
    settings: str = ""
    code: str = "pkg/__init__.py"
    test: str = "tests/test_f.py"
    tag: str = ""
    needs: tuple[str, ...] = ()
    reports: tuple[str, ...] = ("suite",)
    noxfile: dict[str, str] = field(default_factory=dict)  # what becomes what


def member(name: str) -> dict[str, str]:
    """
    Return one package of a repository of several; test modules and conftests share their names.
    """
    settings = NAMED.replace("pkg", name) + EXTRA + '[tool.pytest.ini_options]\naddopts = "-q"\n'
    conftest = f"import pytest\n\n\n@pytest.fixture\ndef who():\n    return '{name}'\n"
    return {
        f"libs/{name}/pyproject.toml": HATCH + settings,
        f"libs/{name}/src/{name}/__init__.py": CODE,
        f"libs/{name}/tests/conftest.py": conftest,
        f"libs/{name}/tests/test_f.py": TEST.replace("pkg", name)
        + f"\n\ndef test_who(who):\n    assert who == '{name}'\n",
    }


HABITS = {
    "packages": Habit(
        {**member("one"), **member("two")},
        tests=6,
        code="libs/two/src/two/__init__.py",
        test="libs/two/tests/test_f.py",
        reports=("suite@libs.one", "suite@libs.two"),
    ),
    "version-from-tag": Habit(
        {
            **FLAT,
            "pyproject.toml": '[build-system]\nrequires = ["setuptools>=80", "setuptools-scm>=8"]\n'
            'build-backend = "setuptools.build_meta"\n[project]\nname = "pkg"\ndynamic = ["version"]\n'
            f'{EXTRA}[tool.setuptools_scm]\n[tool.setuptools]\npackages = ["pkg"]\n',
            "tests/test_f.py": TEST
            + "\n\ndef test_version():\n    from importlib.metadata import version\n\n"
            "    assert version('pkg').startswith('1.2.4')\n",
        },
        tests=3,
        tag="v1.2.3",
    ),
    "server": Habit(
        {
            **FLAT,
            "pyproject.toml": f'{HATCH}{NAMED}[dependency-groups]\ntest = ["pytest", "pg8000"]\n',
            "tests/test_f.py": TEST + SQL,
            "ci/server.sh": START_SERVER,
            ".gitignore": ".server\n",
        },
        tests=3,
        settings="lanes:\n  suite:\n    setup: [sh ci/server.sh]\n",
        needs=("initdb", "pg_ctl"),
    ),
    "unittest-runner": Habit(
        {
            **FLAT,
            "pyproject.toml": HATCH + NAMED + EXTRA.replace("pytest", "unittest-xml-reporting"),
            "tests/__init__.py": "",
            "tests/test_f.py": UNIT,
        },
        tests=2,
        settings="lanes:\n  suite:\n    command: [python, -m, xmlrunner, discover, -s, tests, -t, ., "
        '--output-file, "$GATE_JUNIT"]\n',
    ),
    "make": Habit(
        {**FLAT, "Makefile": "test:\n\tpython -m pytest --junitxml=$(GATE_JUNIT)\n"},
        tests=2,
        settings="lanes:\n  suite:\n    command: [make, test]\n",
        needs=("make",),
    ),
    "tox": Habit(
        {
            **FLAT,
            "pyproject.toml": f'{HATCH}{NAMED}[dependency-groups]\ntest = ["pytest", "tox"]\n',
            "tox.ini": "[testenv]\ndeps = pytest\ncommands = pytest {posargs}\n",
        },
        tests=2,
        settings='lanes:\n  suite:\n    command: [tox, run, -e, py, --, "--junitxml=$GATE_JUNIT"]\n',
    ),
    "plugins": Habit(
        {
            **FLAT,
            "pyproject.toml": f"{HATCH}{NAMED}[dependency-groups]\n"
            'test = ["pytest", "pytest-mock", "pytest-asyncio"]\n'
            '[tool.pytest.ini_options]\nasyncio_mode = "auto"\n',
            "tests/test_f.py": TEST
            + "\n\nasync def test_async(mocker):\n    assert mocker.Mock(return_value=3)() == 3\n",
        },
        tests=3,
    ),
    "two-pythons": Habit(
        FLAT,
        tests=2,
        settings="lanes:\n  suite:\n    shards: [py3.11, py3.13]\n",
        needs=("python3.11", "python3.13"),
        reports=("suite@py3.11", "suite@py3.13"),
        noxfile={
            '@nox.session(requires=["prepare"])\ndef suite': (
                '@nox.session(python=["3.11", "3.13"], requires=["prepare"])\ndef suite'
            ),
            '*LANEKIT, "suite")': '*LANEKIT, "suite", env={"GATE_SHARD": f"py{session.python}"})',
        },
    ),
}


def gate(repo: GitRepo) -> tuple[int, str]:
    argv = [sys.executable, "-m", "nox", "-s", "gate", "--", "--base", "HEAD~1"]
    done = subprocess.run(argv, cwd=repo.root, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def suite(folder: Path) -> tuple[str, int]:
    lane = json.loads((folder / ".gate/verdict.json").read_text())["lanes"]["suite"]
    return lane["class"], lane["passed"]


def _is_there(program: str) -> bool:
    """
    Return whether a program starts; a version manager leaves names in the path of what is switched off.
    """
    found = shutil.which(program)
    return (
        found is not None
        and not subprocess.run((found, "--version"), capture_output=True, check=False).returncode
    )


@pytest.mark.parametrize("name", HABITS)
def test_a_habit_is_adopted_and_a_laundered_fault_in_it_rejected(
    make_repo: Callable[..., GitRepo], name: str
) -> None:
    """
    By what `init` writes, with the one or two lines of settings that the how-to gives.
    """
    habit = HABITS[name]
    if missing := [each for each in habit.needs if not _is_there(each)]:
        pytest.skip(f"needs {', '.join(missing)}")
    repo = make_repo()
    repo.commit(habit.files)
    if habit.tag:
        repo.git("tag", habit.tag)
    answer = program(repo.root, "--kit", str(SOURCE.parent), "--ci", "github", "--owner", "@me", task="init")
    assert answer.code == 0, answer.err
    with (repo.root / "oracle/gate.yaml").open("a") as file:
        file.write(habit.settings)
    noxfile = (repo.root / "noxfile.py").read_text()
    for before, after in habit.noxfile.items():
        assert noxfile.count(before) == 1
        noxfile = noxfile.replace(before, after)
    repo.commit({"noxfile.py": noxfile}, "Adopt")

    code, said = gate(repo)

    assert code == 0, said
    assert suite(repo.root) == ("green", habit.tests), said
    assert sorted(path.stem for path in repo.root.glob(".gate/junit/suite*.xml")) == list(habit.reports)

    weak = (
        habit.files[habit.test]
        .replace("assert f(0) == 1", "f(0)")
        .replace("self.assertEqual(f(0), 1)", "f(0)")
    )
    wrong = CODE.replace("x + 1", "(x + 1 if x else 7)")
    repo.commit({habit.test: weak, habit.code: wrong})
    code, said = gate(repo)

    assert code == 1, said
    rows = {one["rule"] for one in json.loads((repo.root / ".gate/verdict.json").read_text())["findings"]}
    assert {"oracle-removed", "behaviour-drift"} <= rows
    assert suite(repo.root) == ("green", habit.tests), "the laundered suite is green, which buys nothing"
