"""
Runs an inventory: fixtures are checked and read here, properties run in workers, repeats become classes.

Imports nothing of ours but its neighbours, so that the kit and a lane run the very same code.
"""

from __future__ import annotations

import datetime as dt
import time
from typing import TYPE_CHECKING, Any, Final

from . import diagnosing
from .fixtures import FixtureError, file_digest, samples_of
from .inventory_classes import DRIFT, ERROR, FROZEN, GREEN, NOISE, PASS, PROTOCOL, RED, class_of
from .inventory_workers import PINS, VARIED, Settings, Workers

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PINS", "PLAN_SCHEMA", "SCHEMA", "THAW", "VARIED", "Settings", "run"]

SCHEMA: Final = "oraclekeep/inventory/1"
PLAN_SCHEMA: Final = "oraclekeep/inventory-plan/1"

#: Green repeats after which a freeze is called needless, and the seconds that a run spends on finding out.
THAW: Final = 10
_THAW_SECONDS: Final = 10.0


def run(plan: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """
    Run the properties of a plan in a tree and return the run as `oraclekeep/inventory/1`.
    """
    began = time.monotonic()
    rows = [_row(one, settings) for one in plan["properties"]]
    samples = {row["fixture"]: row.pop("samples") for row in rows if "samples" in row}
    ready = [one for one, row in zip(plan["properties"], rows, strict=True) if not row["status"]]
    job = {
        "tree": str(settings.tree.resolve()),
        "paths": [str((settings.tree / folder).resolve()) for folder in plan["source"]],
        "checks": plan["checks"],
        "strategies": plan["strategies"],
        "samples": samples,
    }
    workers = Workers(job, settings)
    repeats = [workers.repeat(ready) for _ in range(settings.repeats)]
    outcomes = {one["id"]: [repeat[one["id"]] for repeat in repeats] for one in ready}
    frozen = {
        one["id"]: until
        for one, row in zip(plan["properties"], rows, strict=True)
        if (until := _frozen_until(one, row, plan, settings.today))
    }
    if settings.repeats > 1:
        _warm(workers, [one for one in ready if one["id"] in frozen], outcomes)
    for one, row in zip(plan["properties"], rows, strict=True):
        if not row["status"]:
            _judge(row, outcomes[one["id"]])
        if row["status"] != DRIFT and one["id"] in frozen:
            _freeze(row, frozen[one["id"]])
        row["votes"] = not one["pending"] and row["status"] != FROZEN
    diagnosing.diagnose(job, settings, ready, rows, began + settings.seconds)
    return {
        "schema": SCHEMA,
        "repeats": settings.repeats,
        "pins": dict(settings.pins),
        **({"varied": list(settings.vary)} if settings.vary else {}),
        "properties": rows,
    }


def _warm(workers: Workers, frozen: list[dict[str, Any]], outcomes: dict[str, list[dict[str, Any]]]) -> None:
    """
    Run frozen properties that have been green so far some more times: a freeze may no longer be needed.
    """
    began = time.monotonic()
    while time.monotonic() - began < _THAW_SECONDS:
        green = [
            one
            for one in frozen
            if len(outcomes[one["id"]]) < THAW and {each["colour"] for each in outcomes[one["id"]]} == {GREEN}
        ]
        if not green:
            break
        for ident, outcome in workers.repeat(green).items():
            outcomes[ident].append(outcome)


def _freeze(row: dict[str, Any], until: str) -> None:
    said = f": {row['detail']}" if row["detail"] else ""
    thaw = row["status"] == PASS and len(row["repeats"]) >= THAW
    more = f", green {len(row['repeats'])} times: the freeze can go" if thaw else ""
    row["detail"] = f"frozen until {until}; this run: {row['status']}{more}{said}"
    row["status"] = FROZEN


def _row(one: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """
    Return a property's row: decided already where its fixture is, else with the samples.
    """
    row = {
        "prop_id": one["id"],
        "status": "",
        "detail": "",
        "seed": one["seed"],
        "fixture": one["fixture"],
        "fixture_sha256": "",
        "checks": [call["name"] for call in one["checks"]],
        "votes": True,
        "repeats": [],
        "seconds": 0.0,
    }
    if one["fixture"]:
        try:
            _read_fixture(row, one, settings.tree)
        except FixtureError as error:
            row.update(status=DRIFT, detail=f"{one['fixture']}: {error}")
    if not row["status"]:
        trouble = _hollow(one, row)
        row.update({"status": PROTOCOL, "detail": trouble} if trouble else {})
    return row


def _read_fixture(row: dict[str, Any], one: dict[str, Any], tree: Path) -> None:
    try:
        data = (tree / one["fixture"]).read_bytes()
    except OSError as error:
        raise FixtureError(f"can't be read: {error.strerror}") from error
    digest = row["fixture_sha256"] = file_digest(data, one["canonical"])
    if not one["sha256"]:
        raise FixtureError(f"has no entry in invariants/fixture.lock.json; its sha256 is {digest}")
    if digest != one["sha256"]:
        raise FixtureError(f"its sha256 is {digest}, the lock says {one['sha256']}")
    row["samples"] = samples_of(one["fixture"], data)


def _hollow(one: dict[str, Any], row: dict[str, Any]) -> str:
    """
    Say why nothing could fail, or nothing.
    """
    if not one["checks"]:
        return "the property has no checks; nothing could fail"
    if not one["strategy"] and not row.get("samples"):
        return f"{one['fixture'] or 'the property'} holds no samples; nothing could fail"
    return ""


def _frozen_until(one: dict[str, Any], row: dict[str, Any], plan: dict[str, Any], today: dt.date) -> str:
    triple = (one["id"], one["seed"], row["fixture_sha256"] or file_digest(b""))
    dates = [
        freeze["expires_on"] for freeze in plan["freezes"]
        if (freeze["property_id"], freeze["seed"], freeze["fixture_sha256"]) == triple
    ]  # fmt: skip
    return max((date for date in dates if dt.date.fromisoformat(date) > today), default="")


def _judge(row: dict[str, Any], outcomes: list[dict[str, Any]]) -> None:
    colours = [outcome["colour"] for outcome in outcomes]
    row["repeats"] = colours
    row["seconds"] = round(sum(outcome["seconds"] for outcome in outcomes), 4)
    row["status"] = class_of(colours)
    worst = next(
        (outcome for colour in (ERROR, RED, GREEN) for outcome in outcomes if outcome["colour"] == colour),
        None,
    )
    row["detail"] = worst["detail"] if worst else "it was not run"
    if row["status"] == NOISE:
        row["detail"] = (
            f"red in {colours.count(RED)} of {len(colours)} runs under the same pins: {row['detail']}"
        )
    elif row["status"] != PASS and len({outcome["detail"] for outcome in outcomes}) > 1:
        row["detail"] += "; another repeat said something else"
