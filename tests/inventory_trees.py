"""
Small repositories with an inventory, for tests that run one.
"""

from __future__ import annotations

import datetime as dt
import json
import os
from pathlib import Path
from typing import Any

import yaml

import oraclekeep
from oraclekeep.inventory.runner import run_working_copy
from oraclekeep.lanekit.fixtures import file_digest
from oraclekeep.lanekit.inventory_runner import Settings

TODAY = dt.date(2026, 11, 30)
#: Where the program under test lies, also for processes that start elsewhere.
ENV = {**os.environ, "PYTHONPATH": str(Path(oraclekeep.__file__).parents[1])}


def tree(root: Path, files: dict[str, str], properties: list[dict[str, Any]], **more: Any) -> Path:
    """
    Write a repository with an inventory and the locks of its fixtures.
    """
    inventory = {"version": 1, "properties": properties, **more}
    fixtures = {one["fixture"] for one in properties if one.get("fixture")}
    locks = {name: file_digest(files[name].encode()) for name in fixtures if name in files}
    for name, text in {
        "oracle/weights.json": "{}",
        "invariants/inventory.yaml": yaml.safe_dump(inventory),
        "invariants/fixture.lock.json": json.dumps(locks),
        **files,
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def prop(ident: str, checks: Any = "never_raises", **more: Any) -> dict[str, Any]:
    module, _, fn = ident.partition(".")
    checks = checks if isinstance(checks, list) else [checks]
    return {
        "id": ident,
        "module": module,
        "fn": fn,
        "seed": 1,
        "fixture": "samples.json",
        "checks": checks,
        **more,
    }


def run(root: Path, **more: Any) -> dict[str, dict[str, Any]]:
    found = run_working_copy(Settings(tree=root, today=TODAY, **{"repeats": 2, **more}))
    return {row["prop_id"]: row for row in found["properties"]}


def one(
    root: Path, source: str, checks: Any = "never_raises", *, samples: str = "[1, 2, 3]", **more: Any
) -> dict[str, Any]:
    """
    Run one property of a module `product` with a function `fn`.
    """
    extra = more.pop("files", {})
    options = more.pop("options", {})
    files = {"src/product.py": source, "samples.json": samples, **extra}
    return run(tree(root, files, [prop("product.fn", checks, **more)]), **options)["product.fn"]
