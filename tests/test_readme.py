"""
README says what the code does.
"""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from oraclekeep.demo.patches import PATCHES
from oraclekeep.errors import Exit, UsageError
from oraclekeep.invoke_tasks import collection
from oraclekeep.reports.tables import main, rows_table, with_table
from oraclekeep.rows import ROWS

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()
FIRST_SCREEN = README[: README.index("\n## ")]


def sessions() -> set[str]:
    module = ast.parse((ROOT / "noxfile.py").read_text())
    return {node.name for node in module.body if isinstance(node, ast.FunctionDef) and node.decorator_list}


def test_the_decision_table_is_the_codes() -> None:
    """
    `python -m oraclekeep.reports.tables README.md` mends it.
    """
    assert with_table(README) == README
    assert all(f"| `{row}` |" in README for row in ROWS)


def test_the_table_is_written_between_its_markers(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- rows -->\nold\n<!-- /rows -->\nafter\n")

    main([str(page)])

    assert page.read_text() == f"before\n<!-- rows -->\n{rows_table()}\n<!-- /rows -->\nafter\n"


def test_a_page_without_markers_is_refused() -> None:
    with pytest.raises(UsageError, match="no <!-- rows -->"):
        with_table("nothing here\n")


def test_the_first_screen_has_the_two_commands_and_they_exist() -> None:
    commands = [line.split("#")[0].split() for line in FIRST_SCREEN.splitlines() if line.startswith("    ")]

    assert commands == [["./noxw", "-s", "gate"], ["./noxw", "-s", "tests"]]
    assert {"gate", "tests"} <= sessions()


def test_ci_runs_what_the_first_screen_says() -> None:
    script = (ROOT / ".ci/run").read_text()

    assert re.findall(r"^\./noxw .*$", script, re.MULTILINE) == ["./noxw -s tests", "./noxw -s gate"]


def test_every_exit_code_but_an_interruption_is_explained() -> None:
    explained = {int(code) for code in re.findall(r"^\| (\d+) \|", FIRST_SCREEN, re.MULTILINE)}

    assert explained == {int(code) for code in Exit if code is not Exit.INTERRUPTED}


def test_every_session_that_a_page_names_exists() -> None:
    named = set()
    for page in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "ci/README.md"):
        for words in re.findall(r"(?:nox|noxw) -s ([a-z ]+)", (ROOT / page).read_text()):
            named |= set(words.split()[:1])

    assert named
    assert named <= sessions()


def test_every_task_that_a_page_names_exists() -> None:
    named = set()
    for page in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        text = (ROOT / page).read_text()
        named |= set(re.findall(r"(?:^ {4}|`)oraclekeep ([a-z][a-z-]*)", text, re.MULTILINE))

    assert named
    assert named <= set(collection().task_names)


def test_links_lead_somewhere() -> None:
    for page in ("README.md", "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / page).read_text()):
            assert (ROOT / target).exists(), f"{page} links to {target}"


def test_the_demo_has_as_many_patches_as_the_page_says() -> None:
    words = {10: "ten", 9: "nine", 8: "eight", 2: "two"}
    honest = sum(patch.decision == "allow" for patch in PATCHES)

    assert f"{words[len(PATCHES)]} patches ({words[honest]} honest ones" in " ".join(README.split())


def test_the_nox_that_noxw_gets_satisfies_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = next(name for name in project["dependencies"] if name.startswith("nox>="))
    pinned = re.search(r"^NOX_VERSION=(\S+)$", (ROOT / "noxw").read_text(), re.MULTILINE)

    assert pinned
    assert tuple(map(int, wanted[5:].split("."))) <= tuple(map(int, pinned[1].split(".")))
