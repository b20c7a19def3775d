"""
The labelled patches of `../shared/cases`, each with the right answer.
"""

from __future__ import annotations

import datetime as dt
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml
from tests.branches import Sides, write_branches

from oraclekeep.pipeline import Request, score
from oraclekeep.reports.scoring import document

if TYPE_CHECKING:
    from types import ModuleType

FOLDER: Final = Path(__file__).resolve().parent.parent.parent / "shared" / "cases"
CASES: Final = sorted(path.parent for path in FOLDER.glob("*/case.yaml"))

pytestmark = pytest.mark.skipif(not CASES, reason="there are no labelled patches in ../shared/cases")


def _materialiser() -> ModuleType:
    spec = importlib.util.spec_from_file_location("materialise", FOLDER / "materialise.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def label(folder: Path) -> dict[str, Any]:
    return dict(yaml.safe_load((folder / "case.yaml").read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    One repository with two branches for each case, trees as the folder's own program makes them.
    """
    materialise = _materialiser()
    patches = {}
    for folder in CASES:
        base, head = materialise.trees(folder)
        case = label(folder)
        links = case.get("links", {})
        head |= {path: target.encode() for path, target in links.items()}
        modes = {
            path: "100755" if int(mode, 8) & 0o111 else "100644"
            for path, mode in case.get("modes", {}).items()
        }
        patches[folder.name] = Sides(base, head, modes | dict.fromkeys(links, "120000"))
    root = tmp_path_factory.mktemp("shared")
    write_branches(root, patches)
    return root


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_scores_like_the_label(folder: Path, repository: Path) -> None:
    """
    The decision is the label's; the reason is one that a fair reading supports.
    """
    case = label(folder)
    if case.get("properties_fail"):
        pytest.skip("only the properties lane can see it")
    doc = document(
        score(
            Request(repository, dt.datetime.now(dt.UTC).date(), f"{folder.name}/base", f"{folder.name}/head")
        )
    )
    found = [
        f"{one['path']}:{one['line']}: {one['rule']}: {one['message']}"
        for one in doc["findings"]
        if one["gate"] == "reject"
    ]

    assert (case["expect"], case["title"]) == (doc["decision"], case["title"]), found
    if doc["decision"] == "reject":
        reasons = {doc["state"]} | {
            "write_set" for one in doc["findings"] if one["rule"] == "write-set" and one["gate"] == "reject"
        }
        assert reasons & set(case["why_ok"]), found
