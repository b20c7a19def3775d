"""
A `.gate/` folder as lanes leave it, written by hand: inventory evidence that is right until a test says not.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from .scores import BASE, HEAD, score

if TYPE_CHECKING:
    from pathlib import Path

POLICY, INVENTORY = "d" * 40, "e" * 64
HERE = {
    "os": "Linux", "machine": "x86_64", "python": "3.12.1", "tz": "UTC", "locale": "C.UTF-8", "cpus": 4,
    "packages": {"numpy": "2.0", "tzdata": "2025.1"},
}  # fmt: skip
THERE = {**HERE, "os": "Darwin", "python": "3.13.0", "packages": {"numpy": "2.1", "tzdata": "2025.1"}}
_COLOURS = {"pass": ["green", "green"], "invariant_miss": ["red", "red"], "noise": ["red", "green"]}


def row(prop_id: str, status: str = "pass", **changes: Any) -> dict[str, Any]:
    return {
        "prop_id": prop_id, "status": status, "detail": "" if status == "pass" else f"{prop_id} said so",
        "seed": 1, "fixture": "samples.json", "fixture_sha256": "f" * 64, "votes": status != "frozen",
        "repeats": _COLOURS.get(status, []), "seconds": 0.1, **changes,
    }  # fmt: skip


def evidence(lane: str, *rows: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """
    Return what a lane writes; a witness has another runner, and a varied replay that says the same.
    """
    red = any(one["votes"] and one["status"] not in {"pass", "frozen"} for one in rows)
    pins = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    whole = {
        "schema": "oraclekeep/evidence/1", "lane": lane, "shard": "", "nonce": "5eed", "base": BASE,
        "head": HEAD, "kit": "0.1.0", "exit_code": int(red), "ended": "finished", "seconds": 1.0,
        "canaries": [{"nodeid": "adds_shape", "outcome": "failed"}],
        "inventory": {"schema": "oraclekeep/inventory/1", "pins": pins, "properties": list(rows)},
        "policy_tree": POLICY, "inventory_sha256": INVENTORY, "junit_sha256": "",
        "runner": "first", "environment": HERE,
    }  # fmt: skip
    if lane == "witness":
        other = {**pins, "LC_ALL": "C", "TZ": "KIT-05:45"}
        whole |= {
            "runner": "second",
            "varied": {"pins": other, "properties": [{**one, "repeats": one["repeats"][:1]} for one in rows]},
        }
    return {**whole, **changes}


def write_run(gate: Path, lanes: dict[str, dict[str, Any]], **changes: Any) -> None:
    """
    Write `run.json` and a score that has nothing against the patch.
    """
    plain = {"nonce": "5eed", "required": True, "empty_ok": False}
    ids = {"base": BASE, "head": HEAD}
    run = {
        "schema": "oraclekeep/run/1", "kit": "0.1.0", "today": "2024-01-01", "policy_tree": POLICY,
        "inventory": INVENTORY, **ids, "lanes": {name: {**plain, **one} for name, one in lanes.items()},
    }  # fmt: skip
    gate.mkdir(exist_ok=True)
    (gate / "run.json").write_text(json.dumps({**run, **changes}))
    (gate / "score.json").write_text(json.dumps(score(**ids)))


def write_lane(gate: Path, facts: dict[str, Any]) -> None:
    """
    Write a lane's evidence and the report that goes with it.
    """
    stem = f"{facts['lane']}@{facts['shard']}" if facts["shard"] else facts["lane"]
    cases = "".join(
        f"<testcase classname='inventory' name='{one['prop_id']}'>"
        f"{'' if one['status'] == 'pass' else '<skipped/>' if not one['votes'] else '<failure/>'}</testcase>"
        for one in facts["inventory"]["properties"]
    )
    report = f"<testsuites><testsuite name='{stem}'>{cases}</testsuite></testsuites>".encode()
    for folder, name, data in (
        ("junit", f"{stem}.xml", report),
        (
            "evidence",
            f"{stem}.json",
            json.dumps({**facts, "junit_sha256": hashlib.sha256(report).hexdigest()}).encode(),
        ),
    ):
        (gate / folder).mkdir(exist_ok=True)
        (gate / folder / name).write_bytes(data)
