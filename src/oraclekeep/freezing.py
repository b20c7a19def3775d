"""
A new freeze for a property, from what its last run found (SPEC §5.5).
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from oraclekeep.effects import write_atomic
from oraclekeep.errors import ConfigError, MissingEvidence, UsageError
from oraclekeep.folder import FolderSnapshot
from oraclekeep.inventory.report import read_rows
from oraclekeep.policy import digests, read_policy
from oraclekeep.policy.files import read_file_locks
from oraclekeep.policy.ledgers import INVENTORY, read_inventory
from oraclekeep.policy.yaml_editing import append_rows

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping
    from pathlib import Path

    from oraclekeep.model import Entry, Freeze, Policy, Property

#: What a freeze can't cover, and why.
_REFUSED: Final = {
    "pass": "it passes; there is nothing to freeze",
    "fixture_drift": "its fixture is not the locked one, and no freeze covers that; run `invoke lock`",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """
    What an owner asks for.
    """

    property_id: str
    reason: str
    expires: dt.date
    points: int
    today: dt.date


@dataclass(frozen=True, slots=True)
class Frozen:
    """
    The row, the file's new text, and how much of the cap is used then.
    """

    row: Mapping[str, Any]
    text: str
    used: int
    cap: int

    def commands(self) -> tuple[str, ...]:
        """
        Return the lines that make a commit of its own of it.
        """
        message = f"Freeze {self.row['property_id']} until {self.row['expires_on']}: {self.row['reason']}"
        return (f"git add -- {INVENTORY}", f"git commit -m {shlex.quote(message)}")


def freeze(root: Path, run: Path, request: Request) -> Frozen:
    """
    Work out a freeze; nothing is written.

    Raises `UsageError` for one that makes no sense, `MissingEvidence` where no run says what it is for.
    """
    tree = FolderSnapshot(root)
    policy = read_policy(tree)
    found = {one.id: one for one in policy.inventory.properties}
    if request.property_id not in found:
        raise UsageError(f"{request.property_id!r} names no property; there are {', '.join(found) or 'none'}")
    prop = found[request.property_id]
    digest = digests.fixture_digest(tree, prop.fixture, read_file_locks(tree)) if prop.fixture else ""
    row = _row_of(run, prop, digest)
    used = _refuse_nonsense(policy, request, prop, digest)
    added = {
        "property_id": prop.id,
        "seed": prop.seed,
        **({"fixture": prop.fixture} if prop.fixture else {}),
        "fixture_sha256": digest or digests.NOTHING,
        "reason": request.reason,
        "expires_on": request.expires.isoformat(),
        **({"points": request.points} if request.points != 1 else {}),
        "repeats": list(row["repeats"]),
    }
    before = (tree.read(INVENTORY) or b"").decode("utf-8-sig")
    text = append_rows(INVENTORY, before, "freezes", [added])
    _check(policy, text, added)
    return Frozen(added, text, used + request.points, policy.intent.debit_cap)


def write(root: Path, found: Frozen) -> None:
    write_atomic(root / INVENTORY, found.text)


def _row_of(run: Path, prop: Property, digest: str) -> Mapping[str, Any]:
    """
    Return what the run said of the property.
    """
    how = f"run `invoke inventory --json {run}`, or `nox -s inventory`"
    row = next((one for one in rows_of(run) if one["prop_id"] == prop.id), None)
    if row is None:
        raise MissingEvidence(f"{run}: does not hold {prop.id}; {how}")
    if why := _REFUSED.get(row["status"]):
        raise UsageError(f"{prop.id}: {why}")
    if row.get("seed") != prop.seed or (row.get("fixture_sha256") or "") != digest:
        raise MissingEvidence(f"{run}: the run of {prop.id} had another seed or fixture; {how}")
    return {"repeats": [], **row}


def rows_of(run: Path) -> list[dict[str, Any]]:
    """
    Read the rows of a run, also out of a lane's evidence.
    """
    try:
        document = json.loads(run.read_bytes())
    except (OSError, ValueError):
        return read_rows(run)  # it says what is wrong
    inner = document.get("inventory") if isinstance(document, dict) else None
    if isinstance(inner, dict) and isinstance(inner.get("properties"), list):
        return [one for one in inner["properties"] if isinstance(one, dict) and "prop_id" in one]
    return read_rows(run)


def _refuse_nonsense(policy: Policy, request: Request, prop: Property, digest: str) -> int:
    """
    Return the points that live rows of both ledgers use already.
    """
    days, horizon = (request.expires - request.today).days, policy.settings.max_exception_days
    if days <= 0:
        raise UsageError(f"--expires {request.expires}: that day has come; give one ahead")
    if days > horizon:
        raise UsageError(f"--expires {request.expires}: beyond the horizon of {horizon} days")
    for old in policy.inventory.freezes:
        if _covers(old, prop, digest) and old.expires_on > request.today:
            raise UsageError(
                f"{prop.id} is frozen until {old.expires_on} already ({INVENTORY}:{old.line}); edit that row"
            )
    used = sum(one.points for one in policy.inventory.freezes if one.expires_on > request.today)
    used += sum(one.points for one in policy.quarantine if one.expires > request.today)
    if used + request.points > policy.intent.debit_cap:
        raise UsageError(
            f"{used} of {policy.intent.debit_cap} points are used; {request.points} more would overdraw: "
            "mend something and remove its row first"
        )
    return used


def _covers(old: Freeze, prop: Property, digest: str) -> bool:
    triple = (prop.id, prop.seed, digest or digests.NOTHING)
    return (old.property_id, old.seed, old.fixture_sha256) == triple


def _check(policy: Policy, text: str, added: Mapping[str, Any]) -> None:
    """
    Read the new text back: it must say what it said before, and one freeze more.
    """
    found = read_inventory(_Only(text.encode()))
    before, after = ([replace(one, line=0) for one in each.freezes] for each in (policy.inventory, found))
    properties = [[replace(one, line=0) for one in each.properties] for each in (policy.inventory, found)]
    last = after.pop().property_id if after else ""
    if before != after or properties[0] != properties[1] or last != added["property_id"]:
        raise ConfigError(
            f"{INVENTORY}: the row can't be added by a small edit; add it by hand: {dict(added)}"
        )


class _Only:
    """
    A tree that holds nothing but the inventory.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data

    commit = ""

    def read(self, path: str) -> bytes | None:
        return self._data if path == INVENTORY else None

    def entry(self, path: str) -> Entry | None:  # noqa: ARG002  # the protocol's
        return None

    def under(self, folder: str) -> Mapping[str, Entry]:  # noqa: ARG002  # the protocol's
        return {}
