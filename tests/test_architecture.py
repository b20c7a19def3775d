"""
The shape that docs/architecture.md promises: imports point one way, the core is pure, modules are small.
"""

from __future__ import annotations

import ast
import graphlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from oraclekeep import rules

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "src" / "oraclekeep"
MODULES: Final = sorted(
    path for path in PACKAGE.rglob("*.py") if "project" not in path.relative_to(PACKAGE).parts
)
#: What decides, and never touches a process or a disk.
PURE: Final = frozenset(
    {
        *("model", "rows", "paths", "oracles", "match", "machinery", "rules", "budget", "verdict"),
        *("nodeids", "outcomes", "witness", "explanations", "head_names", "conjectures"),
    }
)
EDGE: Final = frozenset(
    {"effects", "git", "refs", "trees", "prepare", "pipeline", "judging", "proposing", "commands", "cli"}
)


def group(path: Path) -> str:
    """
    Return the top-level module or package that a file belongs to.
    """
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imports(path: Path) -> Iterator[str]:
    """
    Yield the dotted names that a file imports, at its top or inside a function.
    """
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_imports(path: Path) -> set[str]:
    names = {name.split(".")[1] for name in imports(path) if name.startswith("oraclekeep.")}
    return {name for name in names if (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").exists()} - {
        group(path)
    }


def test_imports_point_one_way() -> None:
    edges: dict[str, set[str]] = {}
    for path in MODULES:
        edges.setdefault(group(path), set()).update(own_imports(path))

    assert set(edges) <= set(graphlib.TopologicalSorter(edges).static_order())


@pytest.mark.parametrize(
    "path", [path for path in MODULES if group(path) in PURE], ids=lambda path: path.name
)
def test_the_core_is_pure(path: Path) -> None:
    assert set() == own_imports(path) & EDGE
    assert set() == {"subprocess", "tempfile", "shutil", "socket"} & {
        name.split(".")[0] for name in imports(path)
    }


@pytest.mark.parametrize(
    "path", [path for path in MODULES if group(path) == "lanekit"], ids=lambda path: path.name
)
def test_what_runs_beside_the_users_code_needs_nothing_of_ours(path: Path) -> None:
    allowed = set(sys.stdlib_module_names) | {"pytest", "_pytest", "hypothesis", "__future__", "numpy"}

    assert set() == {name.split(".")[0] for name in imports(path)} - allowed


@pytest.mark.parametrize(
    "path", [*MODULES, ROOT / "noxfile.py", ROOT / "tasks.py"], ids=lambda path: path.name
)
def test_modules_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_rules_that_read_the_study_are_known() -> None:
    """
    The others run in a process of their own, where a second study would take as long as the first.
    """
    asking = {
        path.stem
        for path in MODULES
        if path.parent == PACKAGE / "rules" and "@rule(" in path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if (isinstance(node, ast.Attribute) and node.attr == "study")
        or (isinstance(node, ast.Name) and node.id == "study_of")
    }

    assert asking == rules.STUDYING
    assert {one.name for one in (*rules.studying(), *rules.unstudied())} == set(rules.RULES)
