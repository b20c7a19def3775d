"""
The lanes that run an inventory: `inventory`, `proposed` (head's own), `witness` (a second runner's replay).
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
import platform
import sys
import time
from typing import TYPE_CHECKING, Any, Final

from . import installed
from .inventory_classes import CALM, ERROR, GREEN, RED
from .inventory_junit import junit_of
from .inventory_runner import PINS, PLAN_SCHEMA, VARIED, Settings, run
from .plan import LaneError, Plan, read_plan, write_evidence
from .signing import SUFFIX, sign
from .statement import statement

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

#: Lane -> the plan that `prepare` wrote below `.gate/policy/`.
_PLANS: Final = {"inventory": "inventory.json", "proposed": "proposed.json", "witness": "inventory.json"}
#: No result fits it: what runs this check and is green lies.
_NEVER: Final = {"name": "matches_schema", "parameters": {"schema": {"not": {}}}}
_STREAMED: Final = {GREEN: "passed", RED: "failed", ERROR: "error"}
_CANARIES: Final = 3


def main(lane: str, gate: Path) -> int:
    """
    Run the lane and leave its report and evidence: 0 green, 1 red, 2 wrong.
    """
    try:
        plan = read_plan(lane, gate, os.environ.get("GATE_SHARD", ""))
        plan.report.unlink(missing_ok=True)
        plan.evidence.unlink(missing_ok=True)
        plan.evidence.with_name(plan.evidence.name + SUFFIX).unlink(missing_ok=True)
        policy = {} if plan.settings.get("empty_ok") else _read_policy(plan)
        origin = _origin(plan)  # before any code of the patch runs
    except LaneError as error:
        sys.stderr.write(f"oraclekeep {lane}: {error}\n")
        return 2
    began = time.monotonic()
    try:
        facts = _run(plan, policy) if policy.get("properties") else _nothing(plan)
    except KeyboardInterrupt:
        sys.stderr.write(f"oraclekeep {lane}: interrupted; there is no evidence\n")
        return 2
    inventory = facts["inventory"]
    alive = [one["nodeid"] for one in facts["canaries"] if one["outcome"] != "failed"]
    red = [row for row in inventory["properties"] if row["votes"] and row["status"] not in CALM]
    code = 2 if alive else 1 if red else 0
    facts = {"exit_code": code, "ended": "finished", "seconds": round(time.monotonic() - began, 3), **facts}
    facts |= origin
    facts |= {} if lane == "proposed" else statement(plan.run, facts, tainted=bool(alive))
    write_evidence(plan, facts, junit_of(inventory, lane))
    _say(lane, inventory, alive)
    return max(code, _sign(plan))


def _sign(plan: Plan) -> int:
    """
    Sign a witness' evidence if there is a key for it.
    """
    if plan.lane != "witness":
        return 0
    try:
        done = sign(plan.evidence)
    except LaneError as error:
        sys.stderr.write(f"oraclekeep {plan.lane}: {error}\n")
        return 2
    sys.stdout.write(f"oraclekeep {plan.lane}: {done}\n" if done else "")
    return 0


def _read_policy(plan: Plan) -> dict[str, Any]:
    path = plan.gate / "policy" / _PLANS[plan.lane]
    try:
        policy = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise LaneError(f"{path}: can't be read: {error}; run `nox -s prepare` again") from error
    if not isinstance(policy, dict) or policy.get("schema") != PLAN_SCHEMA:
        raise LaneError(f"{path}: the schema is not {PLAN_SCHEMA}; run `nox -s prepare` again")
    if plan.settings.get("command"):
        raise LaneError(
            f"oracle/gate.yaml gives {plan.lane} a `command:`; an inventory is run by the kit alone"
        )
    if not policy["properties"] and plan.lane != "proposed":  # a proposal may hold pytest properties alone
        raise LaneError(
            f"{path}: holds no property, and the run says that there is work; run `nox -s prepare` again"
        )
    return policy


def _nothing(plan: Plan) -> dict[str, Any]:
    inventory = {"schema": "oraclekeep/inventory/1", "properties": []}
    varied = {"varied": inventory} if plan.lane == "witness" else {}
    return {"ran": 0, "collected": [], "stream": {}, "canaries": [], "inventory": inventory, **varied}


def _origin(plan: Plan) -> dict[str, Any]:
    """
    Say what exactly was run, and where.
    """
    path = plan.gate / "policy" / _PLANS[plan.lane]
    return {
        "policy_tree": plan.run.get("policy_tree", ""),
        "inventory_sha256": hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
        "runner": os.environ.get("ORACLEKEEP_RUNNER") or platform.node(),
        "environment": installed.describe(installed.distributions(), PINS),
    }


def _run(plan: Plan, policy: dict[str, Any]) -> dict[str, Any]:
    settings = Settings(
        tree=plan.tree,
        today=dt.date.fromisoformat(plan.run["today"]),
        repeats=policy["repeats"],
        env=plan.settings.get("env", {}),
        seconds=float(plan.settings.get("timeout", 1800)),
    )
    planted, canaries = _with_canaries(policy, plan.nonce)
    inventory = run(planted, settings)
    rows = {row["prop_id"]: row for row in inventory["properties"]}
    inventory["properties"] = [row for row in inventory["properties"] if row["prop_id"] not in canaries]
    found = {
        "ran": sum(bool(row["repeats"]) for row in inventory["properties"]),
        "collected": [row["prop_id"] for row in inventory["properties"]],
        "stream": {row["prop_id"]: _STREAMED[_worst(row)] for row in inventory["properties"]},
        "canaries": [
            {"nodeid": name, "outcome": _STREAMED[_worst(rows[name])]}
            for name, original in canaries.items()
            if _worst(rows[original]) != ERROR  # what can't run can't show that it can fail
        ],
        "inventory": inventory,
    }
    if plan.lane == "witness":
        varied = Settings(
            settings.tree, settings.today, repeats=1, pins=VARIED, env=settings.env, seconds=settings.seconds
        )
        found["varied"] = run(policy, varied)
    return found


def _with_canaries(policy: dict[str, Any], nonce: str) -> tuple[dict[str, Any], dict[str, str]]:
    """
    Put copies of some properties among them, each with a check that must fail; return ids and originals.

    A property that does not vote may be one that can't run yet, so it is copied only where there is no other.
    """
    properties = list(policy["properties"])
    frozen = {freeze["property_id"] for freeze in policy["freezes"]}
    voting = [one for one in properties if not one["pending"] and one["id"] not in frozen] or list(properties)
    taken = {one["id"] for one in properties}
    start, canaries = int(nonce[:8], 16), {}
    for step in range(min(_CANARIES, len(voting))):
        original = voting[(start + step) % len(voting)]
        name = f"{original['id']}_shape"
        while name in taken:
            name += "s"
        taken.add(name)
        canaries[name] = original["id"]
        properties.insert(
            (start >> step) % (len(properties) + 1), {**original, "id": name, "checks": [_NEVER]}
        )
    return {**policy, "properties": properties}, canaries


def _worst(row: Mapping[str, Any]) -> str:
    return next((colour for colour in (ERROR, RED, GREEN) if colour in row["repeats"]), ERROR)


def _say(lane: str, inventory: Mapping[str, Any], alive: list[str]) -> None:
    rows = inventory["properties"]
    lines = [
        f"{row['status']}  {row['prop_id']}  {row['detail']}" for row in rows if row["status"] not in CALM
    ]
    lines += [f"a check that must fail did not: {', '.join(alive)}"] if alive else []
    red = sum(row["status"] not in CALM for row in rows)
    lines.append(f"{len(rows)} properties, {red} red" if rows else "nothing to do for this patch")
    sys.stdout.write("".join(f"oraclekeep {lane}: {line}\n" for line in lines))
