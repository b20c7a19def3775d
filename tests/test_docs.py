"""
The documentation: its commands run, its reference is the code's, its pages are built.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from oraclekeep.adopting.kitfiles import NOXFILE, kit_file
from oraclekeep.adopting.systems import SYSTEMS
from oraclekeep.demo.build import build
from oraclekeep.demo.patches import PATCHES
from oraclekeep.errors import MEANINGS, Exit
from oraclekeep.invoke_tasks import collection
from oraclekeep.reference import reference_pages
from oraclekeep.reference.files import Sample

from . import consoles
from .conftest import WHO
from .consoles import Command
from .program import SOURCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import GitRepo

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = {path.relative_to(DOCS).as_posix(): path.read_text() for path in sorted(DOCS.rglob("*.md"))}
#: Pages for readers, whose commands run; the others describe the code itself.
GUIDES = {name: text for name, text in PAGES.items() if consoles.kind_of(text)}
RUNNABLE = [name for name, text in GUIDES.items() if consoles.commands_in(text)]
SLOW = [name for name in RUNNABLE if any(one.is_slow for one in consoles.commands_in(GUIDES[name]))]
#: Tasks that judge by a day.
DATED = {
    name
    for name, task in collection().tasks.items()
    if any(one.name == "today" for one in task.get_arguments())
}
#: What a machine needs to reach a package index; nothing of the caller's own Git or CI.
_REACHING = re.compile(r"(HOME|TMPDIR|SSL_.*|PIP_.*|UV_.*|REQUESTS_.*|.*_PROXY)$", re.IGNORECASE)
PROJECT = {
    "pyproject.toml": '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
    '[project]\nname = "shop"\nversion = "1"\n[project.optional-dependencies]\ntest = ["pytest"]\n',
    "src/shop/__init__.py": "def total(items):\n    return sum(items)\n",
    "tests/test_shop.py": "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
}


@pytest.fixture
def started(tmp_path: Path, make_repo: Callable[..., GitRepo]) -> Callable[[str], Path]:
    """
    Return a function that makes what a page starts from.
    """

    def start(kind: str) -> Path:
        if kind == "example":
            folder = tmp_path / "example"
            folder.mkdir()
            build(folder, PATCHES)
            return folder
        if kind == "project":
            repo = make_repo("project")
            repo.commit(PROJECT)
            return repo.root
        folder = tmp_path / "empty"
        folder.mkdir()
        return folder

    return start


def reader(tmp_path: Path) -> dict[str, str]:
    """
    The environment of a reader who has installed the kit.
    """
    commands = tmp_path / "commands"
    commands.mkdir(exist_ok=True)
    for name, words in {
        "oraclekeep": "-m oraclekeep",
        "python": "",
        "nox": "-m nox",
    }.items():
        command = commands / name
        command.write_text(f'#!/bin/sh\nexec {sys.executable} {words} "$@"\n')
        command.chmod(0o755)
    said = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    about = tmp_path / f"about/oraclekeep-{said}.dist-info/METADATA"  # what an installation knows of itself
    about.parent.mkdir(parents=True, exist_ok=True)
    about.write_text(f"Metadata-Version: 2.1\nName: oraclekeep\nVersion: {said}\n")
    kept = {key: value for key, value in os.environ.items() if _REACHING.match(key)}
    git = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_PAGER": "cat"}
    path = f"{commands}{os.pathsep}{os.environ['PATH']}"
    python = f"{SOURCE}{os.pathsep}{about.parents[1]}"
    return {**kept, **WHO, **git, "PATH": path, "PYTHONPATH": python, "LC_ALL": "C.UTF-8"}


@pytest.mark.parametrize("name", RUNNABLE)
def test_quick_commands_do_what_their_page_shows(
    started: Callable[[str], Path], tmp_path: Path, name: str
) -> None:
    """
    In order, in one shell, in the repository that the page speaks of.
    """
    quick = [one for one in consoles.commands_in(GUIDES[name], DATED) if not one.is_slow]

    done = consoles.run(quick, started(consoles.kind_of(GUIDES[name])), reader(tmp_path))

    faults = [fault for one in done for fault in one.faults()]
    assert not faults, "\n".join(faults)


@pytest.mark.e2e
@pytest.mark.habits
@pytest.mark.parametrize("name", SLOW)
def test_all_commands_of_a_page_do_what_it_shows(
    started: Callable[[str], Path], tmp_path: Path, name: str
) -> None:
    """
    With real environments, and the kit installed from a wheel of this checkout.
    """
    wheels = tmp_path / "wheels"
    tools = tmp_path / "tools"  # an environment of uv's has no pip
    subprocess.run((sys.executable, "-m", "venv", tools), check=True)
    pip = (tools / "bin" / "python", "-m", "pip")
    subprocess.run((*pip, "wheel", "--quiet", "--no-deps", "-w", wheels, ROOT), check=True)
    env = {**reader(tmp_path), "PIP_FIND_LINKS": str(wheels), "UV_FIND_LINKS": str(wheels)}
    if name == "tutorial.md":
        # The reader's own environment has the kit, and the one of the tests must not lend it.
        env = {**env, "PATH": env["PATH"].partition(os.pathsep)[2]}
        del env["PYTHONPATH"]

    done = consoles.run(
        consoles.commands_in(GUIDES[name], DATED), started(consoles.kind_of(GUIDES[name])), env
    )

    faults = [fault for one in done for fault in one.faults()]
    assert not faults, "\n".join(faults)


def test_every_page_for_readers_says_where_its_commands_run() -> None:
    described = {"architecture.md", "hostile.md", "rows.md", "index.md"}

    assert set(PAGES) - set(GUIDES) == described
    assert {consoles.kind_of(text) for text in GUIDES.values()} <= {"empty", "example", "project", "none"}


@pytest.mark.parametrize("name", GUIDES)
def test_no_command_stands_where_no_test_runs_it(name: str) -> None:
    """
    A shell's block of another kind would be one that nobody tries.
    """
    text = GUIDES[name]

    assert not re.findall(r"^```(?:sh|bash|shell)\b", text, re.MULTILINE)
    assert bool(consoles.commands_in(text)) == (consoles.kind_of(text) != "none")


def test_every_task_and_session_that_a_page_names_exists() -> None:
    module = kit_file(NOXFILE)
    sessions = set(re.findall(r"^def (\w+)\(session", module, re.MULTILINE)) | {"demo"}
    text = "\n".join(GUIDES.values())

    named = set(re.findall(r"(?:^\$ |`)oraclekeep ([a-z][a-z-]*)", text, re.MULTILINE))
    assert named <= {*collection().task_names}
    assert set(re.findall(r"(?:nox|noxw) -s (\w+)", text)) <= sessions


# ------------------------------------------------------------------------------------------- the harness


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ("echo one two", 0),
        ("echo one; echo between; echo two", 0),
        ("echo two; echo one", 1),
        ("echo one two; exit_code() { return 3; }; exit_code", 1),
    ],
)
def test_a_page_that_shows_something_else_is_caught(tmp_path: Path, line: str, faults: int) -> None:
    (done,) = consoles.run([Command(line, ("one", "two"), 0, is_slow=False)], tmp_path, reader(tmp_path))

    assert len(done.faults()) == faults


def test_commands_are_read_with_their_output_and_their_end() -> None:
    block = "<!-- slow -->\n```console\n$ a b  # exit 1\n  x …\n$ oraclekeep c\n```\n"
    page = f"---\nruns: example\ntoday: 2026-12-01\n---\n\n{block}\n```text\n$ d\n```\n"

    assert consoles.kind_of(page) == "example"
    assert consoles.commands_in(page, {"c"}) == [
        Command("a b", ("  x …",), 1, is_slow=True),
        Command("oraclekeep c --today 2026-12-01", (), 0, is_slow=True),
    ]


# ------------------------------------------------------------------------------------------- the reference


@pytest.fixture(scope="module")
def reference() -> dict[str, str]:
    samples = {"oraclekeep x --json": Sample({"schema": "oraclekeep/x/1", "rows": [1, 2, 3]}, 1)}
    return reference_pages(kit_file(NOXFILE), (ROOT / "ci/README.md").read_text(), samples)


def test_every_task_has_a_section_with_every_option(reference: dict[str, str]) -> None:
    page = reference["reference/tasks.md"]
    sections = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))

    assert set(sections) == set(collection().task_names)
    for name, task in collection().tasks.items():
        for argument in task.get_arguments():
            word = str(argument.name).strip("_").replace("_", "-")
            assert f"`--{word}" in sections[name] or f"`{word.upper()}" in sections[name]


def test_every_file_with_a_schema_has_its_keys(reference: dict[str, str]) -> None:
    page = reference["reference/files.md"]

    for place in (
        "`packages`",
        "`lanes.LANE.setup`",
        "`items[].nodeid`",
        "`properties[].seed`",
        "`debit_cap`",
    ):
        assert f"| {place} |" in page
    assert "## `oracle/weights.json`" in page
    assert "| `assert_removed` | an integer of 0 or more: points for each check that is gone | `1` |" in page


def test_every_exit_code_has_a_meaning(reference: dict[str, str]) -> None:
    assert set(MEANINGS) == set(Exit)
    assert all(f"| {int(code)} | " in reference["reference/exit-codes.md"] for code in Exit)


def test_samples_are_shown_with_their_keys_and_shortened(reference: dict[str, str]) -> None:
    page = reference["reference/json.md"]

    assert "| `rows` | list |" in page
    assert '"rows": [\n    1,\n    "…"\n  ]' in page


def test_every_system_has_its_template_in_full(reference: dict[str, str]) -> None:
    page = reference["how-to/ci.md"]

    for system in SYSTEMS.values():
        assert f"\n## {system.name}\n" in page
        assert kit_file(system.template).splitlines()[-1].strip() in page
    assert not re.search(r"\]\((?!https?:)", page), "links of ci/README.md lead nowhere here"


def test_every_page_is_in_the_navigation(reference: dict[str, str]) -> None:
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text())

    def leaves(node: object) -> set[str]:
        if isinstance(node, str):
            return {node}
        items = node.values() if isinstance(node, dict) else node
        return {leaf for item in items for leaf in leaves(item)}

    assert leaves(config["nav"]) == {*PAGES, *reference}
    assert config["strict"]
    assert config["theme"]["font"] is False


@pytest.mark.e2e
@pytest.mark.habits
def test_the_pages_are_built_and_fetch_nothing_from_elsewhere(tmp_path: Path) -> None:
    """
    `nox -s docs`, strict: a link that leads nowhere is an error.
    """
    argv = [sys.executable, "-m", "nox", "-s", "docs", "--", "--site-dir", str(tmp_path)]
    done = subprocess.run(argv, cwd=ROOT, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    assert done.returncode == 0, done.stdout.decode()
    pages = {path.relative_to(tmp_path).as_posix(): path.read_text() for path in tmp_path.rglob("*.html")}
    assert {"tutorial.html", "reference/tasks.html", "how-to/ci.html"} <= set(pages)
    for name, text in pages.items():
        assert not re.findall(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?//', text), name
    assert "does not prove that a program is complete" in pages["explanation/limits.html"]
